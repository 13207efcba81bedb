import { addSpan, nextMonth, berlinMonth, monthStart, type Span } from '../../../domain/time/calendar.ts'
import { MAX_CLOCK_TIME } from '../../../domain/time/clock.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import type { Instant } from '../../../domain/time/berlin-time.ts'
import * as deliveries from '../../../store/repositories/deliveries.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import type { ClockMove } from './clock-move.ts'
import { recordClock } from './set-clock.ts'

/** `next-month` is the 1st of the next month, 00:00 in Berlin. */
type Destination = Instant | 'next-month'

/**
 * Begins to move the clock forward. Jobs that fall due in between run at their own time. Webhooks that are already being sent
 * finish at the old time. A running clock keeps running, and a frozen one stays frozen.
 */
export async function advanceClock(
  { db, now: from }: UnitOfWork,
  by: Span | { readonly to: Destination },
): Promise<ClockMove> {
  const to = 'to' in by ? destinationTime(from, by.to) : addSpan(from, by)
  if (to < Date.parse(from)) throw apiError('clockOnlyForward', from)
  if (!(to <= Date.parse(MAX_CLOCK_TIME))) throw apiError('clockTooFar', MAX_CLOCK_TIME)
  return {
    until: new Date(to).toISOString(),
    dueDeliveries: await deliveries.dueAtOnce(db),
    issued: [],
    recordArrival: (work) => recordClock(work, from),
  }
}

const destinationTime = (from: Instant, to: Destination): number =>
  Date.parse(to === 'next-month' ? monthStart(nextMonth(berlinMonth(from))) : to)
