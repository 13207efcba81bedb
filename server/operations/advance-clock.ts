import { later, type Span } from '../domain/calendar.ts'
import { clockAt, LATEST } from '../domain/clock.ts'
import type { TaxInvoice } from '../domain/invoice.ts'
import { Refusal, wording } from '../domain/refusals.ts'
import type { Instant } from '../domain/time.ts'
import type { Work } from '../store/store.ts'
import { recordClock } from './set-clock.ts'
import { passTime } from './pass-time.ts'

/** Moves the clock forward, and does on the way what falls due. Running or frozen, it stays so. */
export async function advanceClock(work: Work, by: Span | { readonly to: Instant }): Promise<TaxInvoice[]> {
  const from = work.now
  const to = 'to' in by ? Date.parse(by.to) : later(from, by)
  if (to < Date.parse(from)) throw new Refusal('conflict', wording.clockOnlyForward(from))
  if (!(to <= Date.parse(LATEST))) throw new Refusal('invalid', wording.clockTooFar(LATEST))

  const until = new Date(to).toISOString()
  const issued = await passTime(work, until)
  await work.setClock(clockAt(work.clock.mode, until, work.machine))
  await recordClock(work, from)
  return issued
}
