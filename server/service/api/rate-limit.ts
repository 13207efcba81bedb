import type { UnitOfWork } from '../../store/store.ts'
import * as events from '../../store/journal/events.ts'
import type { Caller } from '../operations/accounts/caller.ts'

const RATE_WINDOW_MS = 60_000

/**
 * Returns the seconds until an account may call again, 0 within the rate of the behavior `rateLimit`. Beyond it, a call gets the
 * error `tooManyRequests`, whose kind `limited` has the status 429 (`domain/api/api-error.ts`), and does not count. Faults can
 * cause the same status, see `create-response.ts`.
 */
export async function retryAfterSeconds(
  { db, now }: UnitOfWork,
  { account, behaviors }: Caller,
): Promise<number> {
  const rate = behaviors.settings.rateLimit
  if (rate === 'none') return 0

  behaviors.dependOn('rateLimit')
  const at = await events.callTime(db, account.id, Number.parseInt(rate, 10))
  // A call in the future was made before the clock was set back. Fewer calls than the limit were made since then.
  if (at === undefined || at > now) return 0
  return Math.max(0, Math.ceil((Date.parse(at) + RATE_WINDOW_MS - Date.parse(now)) / 1000))
}
