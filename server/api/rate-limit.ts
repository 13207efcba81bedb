import type { Caller } from '../operations/caller.ts'
import * as events from '../store/journal/events.ts'
import type { UnitOfWork } from '../store/store.ts'

const WINDOW_MS = 60_000

/** How long an account has to wait for its next call; 0 while it is within its rate. Calls refused for it do not count. */
export async function retryAfterSeconds(
  { db, now }: UnitOfWork,
  { account, behaviors }: Caller,
): Promise<number> {
  const rate = behaviors.peek('rateLimit')
  if (rate === 'none') return 0

  behaviors.use('rateLimit')
  const at = await events.callTime(db, account.id, Number.parseInt(rate, 10))
  // One that is still to come was made before the clock was set back, and fewer calls since.
  if (at === undefined || at > now) return 0
  return Math.max(0, Math.ceil((Date.parse(at) + WINDOW_MS - Date.parse(now)) / 1000))
}
