import { later, monthAfter, monthOf, monthStart, type Span } from '../domain/calendar.ts'
import { clockAt, LATEST } from '../domain/clock.ts'
import type { TaxInvoice } from '../domain/invoice.ts'
import { Refusal, wording } from '../domain/refusals.ts'
import type { Instant } from '../domain/time.ts'
import type { Work } from '../store/store.ts'
import { recordClock } from './set-clock.ts'
import { passTime } from './pass-time.ts'

/** `next-month`: the 1st of the next month, 00:00 in Berlin. */
type Destination = Instant | 'next-month'

/** Moves the clock forward, and does on the way what falls due. Running or frozen, it stays so. */
export async function advanceClock(
  work: Work,
  by: Span | { readonly to: Destination },
): Promise<TaxInvoice[]> {
  const from = work.now
  const to = 'to' in by ? arrival(from, by.to) : later(from, by)
  if (to < Date.parse(from)) throw new Refusal('conflict', wording.clockOnlyForward(from))
  if (!(to <= Date.parse(LATEST))) throw new Refusal('invalid', wording.clockTooFar(LATEST))

  const until = new Date(to).toISOString()
  const issued = await passTime(work, until)
  await work.setClock(clockAt(work.clock.mode, until, work.machine))
  await recordClock(work, from)
  return issued
}

const arrival = (from: Instant, to: Destination): number =>
  Date.parse(to === 'next-month' ? monthStart(monthAfter(monthOf(from))) : to)
