import type { UnitOfWork } from '../../store/store.ts'
import * as events from '../../store/journal/events.ts'
import type { Caller } from '../operations/accounts/caller.ts'

const RATE_WINDOW_MS = 60_000

/**
 * Returns the seconds until an account may call again, or 0 if the behavior `rateLimit` allows the call. A call that is not
 * allowed gets the error `tooManyRequests` (429), and does not count. Faults can cause the same status; see `create-response.ts`.
 */
export async function retryAfterSeconds(
  { db, now }: UnitOfWork,
  { account, behaviors }: Caller,
): Promise<number> {
  const rate = behaviors.settings.rateLimit
  if (rate === 'none') return 0

  behaviors.dependOn('rateLimit')
  const at = await events.callTime(db, account.id, Number.parseInt(rate, 10))
  // The recorded call has a later time, because the clock was set back after it. Since then, there have been fewer calls than the
  // limit allows.
  if (at === undefined || at > now) return 0
  return Math.max(0, Math.ceil((Date.parse(at) + RATE_WINDOW_MS - Date.parse(now)) / 1000))
}
