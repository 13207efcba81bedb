import { Refusal, wording } from '../domain/refusals.ts'
import type { Caller } from '../operations/caller.ts'
import * as events from '../store/events.ts'
import type { Work } from '../store/store.ts'

const WINDOW_MS = 60_000

/** Refuses a call beyond the account's rate. Calls that were refused for it do not count. */
export async function limitRate({ db, now }: Work, { account, inForce }: Caller): Promise<void> {
  const rate = inForce.peek('rateLimit')
  if (rate === 'none') return

  inForce.rely('rateLimit')
  const at = await events.callTime(db, account.id, Number.parseInt(rate, 10))
  if (at !== undefined && Date.parse(now) - Date.parse(at) < WINDOW_MS) {
    throw new Refusal('limited', wording.tooManyRequests(rate))
  }
}
