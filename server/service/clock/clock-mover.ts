import { apiError } from '../../domain/api/api-error.ts'
import type { ClockMove, ClockMoveResult } from '../operations/clock/clock-move.ts'
import { runDueJobs } from '../operations/clock/run-due-jobs.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import * as epoch from '../../store/journal/epoch.ts'
import type { Store, UnitOfWork } from '../../store/store.ts'
import type { WebhookDispatcher } from '../webhooks/dispatcher.ts'
import { trackAttempts } from './track-attempts.ts'

/**
 * Moves the clock, one move at a time. A move ends when everything that falls due in between is done. A webhook cannot be
 * attempted in a unit of work, so a move is a loop: it stops the clock where webhooks are due, and continues when their attempts
 * are recorded. It waits only for webhooks that were due when the clock stopped, because on a busy sandbox others are always due.
 */
export function createClockMover(store: Store, dispatcher: Pick<WebhookDispatcher, 'sendDue' | 'idle'>) {
  let last: Promise<unknown> = Promise.resolve()
  let isStopped = false

  async function move(begin: (work: UnitOfWork) => Promise<ClockMove>): Promise<ClockMoveResult> {
    // The epoch is read before waiting for earlier moves, because a move that was requested before a reset must not run after
    // it.
    const requestedIn = await epoch.current(store.db)
    const turn = last.then(() => runMove(begin, requestedIn))
    last = turn.catch(() => undefined)
    return turn
  }

  async function runMove(
    begin: (work: UnitOfWork) => Promise<ClockMove>,
    requestedIn: string | undefined,
  ): Promise<ClockMoveResult> {
    async function step<Result>(run: (work: UnitOfWork) => Promise<Result>): Promise<Result> {
      if (isStopped) throw apiError('clockStopped')
      return store.transact(async (work) => {
        if ((await epoch.current(work.db)) !== requestedIn) throw apiError('clockOverrun')
        return run(work)
      })
    }

    const tracker = trackAttempts(store)
    try {
      // If no webhook is due, the move is a single unit of work, so it happens completely or not at all.
      let [begun, stop] = await step(async (work) => {
        const started = await begin(work)
        const isOneStep = started.dueDeliveries.length === 0
        return [started, isOneStep ? await proceed(work, started) : undefined] as const
      })
      const issued = [...begun.issued, ...(stop?.issued ?? [])]
      while (stop === undefined || stop.due.length > 0) {
        await attempt(stop?.due ?? begun.dueDeliveries)
        stop = await step((work) => proceed(work, begun))
        issued.push(...stop.issued)
      }
      return { time: stop.time, issued, attempts: tracker.retries }
    } finally {
      tracker.stop()
    }

    async function attempt(due: readonly deliveries.DueDelivery[]): Promise<void> {
      dispatcher.sendDue(due)
      // If an attempt cannot be recorded, the queue ends without it.
      await Promise.race([tracker.waitFor(due), dispatcher.idle()])
      if (isStopped || tracker.areDone(due)) return
      throw new Error('Webhooks that are due could not be attempted')
    }
  }

  return {
    move,
    stop(): void {
      isStopped = true
    },
  }
}

/** Runs everything that falls due before the end of the move. Stops earlier if webhooks are due. */
async function proceed(work: UnitOfWork, { until, recordArrival }: ClockMove) {
  const issued = await runDueJobs(work, until)
  const due = await deliveries.dueByTime(work.db, work.now)
  if (due.length === 0) await recordArrival(work)
  return { issued, due, time: { now: work.now, clock: work.clock, systemNow: work.systemNow } }
}
