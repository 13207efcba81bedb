import { monthOf } from '../../domain/time/calendar.ts'
import {
  clockAt,
  EARLIEST,
  isInReach,
  LATEST,
  REAL,
  type Clock,
  type ClockMode,
} from '../../domain/time/clock.ts'
import { aboutNothing } from '../../domain/links/subject.ts'
import { Refusal, wording } from '../../domain/api/api-error.ts'
import type { Instant } from '../../domain/time/time.ts'
import type { Work } from '../../store/store.ts'
import * as turnover from '../../store/repositories/monthly-revenue.ts'
import type { ClockMove } from './clock-move.ts'
import { passTime } from './run-due-jobs.ts'

interface Setting {
  readonly now?: Instant | undefined
  readonly mode?: ClockMode | undefined
}

/**
 * Sets the clock, forward or back, running or frozen. It jumps: what has fallen due by then happens at once,
 * in the new time. Going back takes nothing back.
 */
export function setClock(
  work: Work,
  { now = work.now, mode = work.clock.mode }: Setting,
): Promise<ClockMove> {
  if (!isInReach(now)) throw new Refusal('invalid', wording.clockOutOfRange(EARLIEST, LATEST))
  return turnClock(work, clockAt(mode, new Date(now).toISOString(), work.machine))
}

/** Goes back to the machine's own time, running. */
export const useRealClock = (work: Work): Promise<ClockMove> => turnClock(work, REAL)

/** Sets the clock as it is given, and does what has fallen due by then. */
export async function turnClock(work: Work, clock: Clock): Promise<ClockMove> {
  const from = work.now
  await work.setClock(clock)
  await recordClock(work, from)
  await turnover.reopen(work.db, monthOf(work.now))
  const issued = await passTime(work, work.now)
  return { until: work.now, before: [], issued, arrive: async () => undefined }
}

/** Tells the journal what the clock shows now. */
export async function recordClock({ now, clock, machine, record }: Work, from: Instant): Promise<void> {
  await record({
    type: 'clock.changed',
    ...aboutNothing,
    from,
    to: now,
    mode: clock.mode,
    offsetMs: Date.parse(now) - machine,
  })
}
