import type { ClockMoveResult } from '../operations/clock/clock-move.ts'
import type { WebhookDispatcher } from '../webhooks/dispatcher.ts'
import { trackAttempts } from './track-attempts.ts'
import { apiError } from '../domain/api/api-error.ts'
import type { ClockMove } from '../operations/clock/clock-move.ts'
import { runDueJobs } from '../operations/clock/run-due-jobs.ts'
import * as deliveries from '../store/repositories/deliveries.ts'
import * as epoch from '../store/journal/epoch.ts'
import type { Store, UnitOfWork } from '../store/store.ts'

/**
 * Moves the clock, one move after another, and ends once all that falls due on the way has happened.
 *
 * Where webhooks are due the clock stops until their attempts have been recorded, each of which may put off the next.
 */
export function createClockMover(store: Store, dispatcher: Pick<WebhookDispatcher, 'sendDue' | 'idle'>) {
  let last: Promise<unknown> = Promise.resolve()
  let isStopped = false

  async function move(begin: (work: UnitOfWork) => Promise<ClockMove>): Promise<ClockMoveResult> {
    // Asked before its turn comes: it was meant for this life of the journal.
    const startEpoch = await epoch.current(store.db)
    const turn = last.then(() => runMove(begin, startEpoch))
    last = turn.catch(() => undefined)
    return turn
  }

  async function runMove(
    begin: (work: UnitOfWork) => Promise<ClockMove>,
    begunIn: string | undefined,
  ): Promise<ClockMoveResult> {
    async function step<Result>(work: (work: UnitOfWork) => Promise<Result>): Promise<Result> {
      if (isStopped) throw apiError('clockStopped')
      return store.transact(async (given) => {
        if ((await epoch.current(given.db)) !== begunIn) throw apiError('clockOverrun')
        return work(given)
      })
    }

    const tracker = trackAttempts(store)
    try {
      const { until, dueDeliveries, recordArrival, ...begun } = await step(begin)
      const issued = [...begun.issued]
      await attempt(dueDeliveries)
      for (;;) {
        const { due, time } = await step(async (work) => {
          issued.push(...(await runDueJobs(work, until)))
          const retries = await deliveries.retriesDue(work.db, work.now)
          if (retries.length === 0) await recordArrival(work)
          return { due: retries, time: { now: work.now, clock: work.clock, systemNow: work.systemNow } }
        })
        if (due.length === 0) return { time, issued, attempts: tracker.retries }
        await attempt(due)
      }
    } finally {
      tracker.stop()
    }

    async function attempt(due: readonly deliveries.DueDelivery[]): Promise<void> {
      if (due.length === 0) return
      dispatcher.sendDue(due)
      // A lane that failed to record an attempt has ended without it.
      await Promise.race([tracker.made(due), dispatcher.idle()])
      if (isStopped || tracker.haveBeenMade(due)) return
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
