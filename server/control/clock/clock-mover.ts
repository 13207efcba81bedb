import { apiError } from '../../domain/api/api-error.ts'
import type { ClockMove, ClockMoveResult } from '../../service/operations/clock/clock-move.ts'
import { runDueJobs } from '../../service/operations/clock/run-due-jobs.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import * as epoch from '../../store/journal/epoch.ts'
import type { Store, UnitOfWork } from '../../store/store.ts'
import type { WebhookDispatcher } from '../../service/webhooks/dispatcher.ts'
import { trackAttempts } from './track-attempts.ts'

/**
 * Moves the clock, one move at a time. A move ends when everything that falls due on the way is done. Attempts of webhooks
 * cannot run in a unit of work, so a move is a loop: it stops the clock where webhooks are due, and continues when their
 * attempts are recorded. It waits only for webhooks that were due when the clock stopped, because on a busy sandbox others are
 * always due.
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
      const { until, dueDeliveries, recordArrival, ...begun } = await step(begin)
      const issued = [...begun.issued]
      await attempt(dueDeliveries)
      for (;;) {
        const { issuedNow, due, time } = await step(async (work) => {
          const invoices = await runDueJobs(work, until)
          const retries = await deliveries.retriesDue(work.db, work.now)
          if (retries.length === 0) await recordArrival(work)
          return {
            issuedNow: invoices,
            due: retries,
            time: { now: work.now, clock: work.clock, systemNow: work.systemNow },
          }
        })
        issued.push(...issuedNow)
        if (due.length === 0) return { time, issued, attempts: tracker.retries }
        await attempt(due)
      }
    } finally {
      tracker.stop()
    }

    async function attempt(due: readonly deliveries.DueDelivery[]): Promise<void> {
      if (due.length === 0) return
      dispatcher.sendDue(due)
      // If the store cannot record an attempt, the queue ends without it.
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
