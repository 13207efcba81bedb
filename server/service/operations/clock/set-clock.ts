import { berlinMonth } from '../../../domain/time/calendar.ts'
import {
  createClock,
  MIN_CLOCK_TIME,
  isInClockRange,
  MAX_CLOCK_TIME,
  SYSTEM_CLOCK,
  type Clock,
  type ClockMode,
} from '../../../domain/time/clock.ts'
import { noSubject } from '../../../domain/links/subject.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import type { Instant } from '../../../domain/time/berlin-time.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import * as monthlyRevenue from '../../../store/repositories/monthly-revenue.ts'
import type { ClockMove } from './clock-move.ts'
import { runDueJobs } from './run-due-jobs.ts'

interface ClockSetting {
  readonly now?: Instant | undefined
  readonly mode?: ClockMode | undefined
}

/**
 * Sets the clock, forward or back, running or frozen. The clock jumps, so all jobs that have fallen due run at the new time.
 * Setting it back undoes nothing, and a month that has an invoice does not get a second one.
 */
export function setClock(
  work: UnitOfWork,
  { now = work.now, mode = work.clock.mode }: ClockSetting,
): Promise<ClockMove> {
  if (!isInClockRange(now)) throw apiError('clockOutOfRange', MIN_CLOCK_TIME, MAX_CLOCK_TIME)
  return applyClock(work, createClock(mode, new Date(now).toISOString(), work.systemNow))
}

/** Sets the clock to the system time, and lets it run. */
export const useRealClock = (work: UnitOfWork): Promise<ClockMove> => applyClock(work, SYSTEM_CLOCK)

/** Sets the clock, and runs the jobs that have fallen due. */
export async function applyClock(work: UnitOfWork, clock: Clock): Promise<ClockMove> {
  const from = work.now
  await work.setClock(clock)
  await recordClock(work, from)
  await monthlyRevenue.markUnbilled(work.db, berlinMonth(work.now))
  const issued = await runDueJobs(work, work.now)
  return { until: work.now, dueDeliveries: [], issued, recordArrival: async () => undefined }
}

export async function recordClock(
  { now, clock, systemNow, record }: UnitOfWork,
  from: Instant,
): Promise<void> {
  await record({
    type: 'clock.changed',
    ...noSubject,
    from,
    to: now,
    mode: clock.mode,
    offsetMs: Date.parse(now) - systemNow,
  })
}
