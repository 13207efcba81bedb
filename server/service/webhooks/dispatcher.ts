import { type EventOf, type RecordedEvent, startsEpoch, clearsAccount } from '../../domain/events/event.ts'
import { cacheLast } from '../../domain/text/cache-last.ts'
import { pauseAfterFailure } from '../../store/pause-after-failure.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import type { Store, UnitOfWork } from '../../store/store.ts'
import { waitUntil } from '../../store/wait-until.ts'
import { takeJob, type DeliveryJob } from './delivery-job.ts'
import { recordResult, type RecordOptions } from './record-result.ts'
import { sendDelivery, type SendOptions } from './send-delivery.ts'

type DispatcherOptions = Omit<SendOptions, 'now'> &
  RecordOptions & {
    /** Returns the address of a target. `null` if it is not a URL. */
    readonly addressOf: (target: string) => URL | null
    readonly onError: (error: unknown) => void
  }

interface TargetQueue {
  /** Whether to look for due deliveries once more before the queue closes. */
  again: boolean
  /** Never rejects. */
  done: Promise<void>
  /** The account whose delivery is being sent. */
  sendingFor: string | undefined
  /** Aborts the attempt. All attempts of a queue share it, because creating one is slow. */
  abort: AbortController
  /** Closes the queue if the commit in which its first delivery was taken is not durable yet. */
  giveUp?: () => void
}

/**
 * Sends webhooks from the outbox to their targets. Each target has a queue with one attempt at a time, so it gets its webhooks in
 * sequence, and a slow target does not delay the others. If a map leads two targets to one address, they keep two queues, because
 * the real service has no maps, and a map must not change the sequence. In the database, a delivery is `underway` from before its
 * attempt until the attempt is recorded. If the process is killed in between, the next process sends the delivery again as a
 * possible duplicate. If its target has no queue, a delivery becomes `underway` in the commit that queues it, because on
 * PostgreSQL a separate commit would have to wait for the disk.
 */
export function createDispatcher(
  store: Store,
  { addressOf, isInContainer, onError, ...options }: DispatcherOptions,
) {
  const sendOptions = { ...options, now: () => store.now() }
  const queues = new Map<string, TargetQueue>()
  let starting: Promise<void> = Promise.resolve()
  const stopping = new AbortController()
  const unsubscribe = store.eventBus.subscribe(handleEvents)
  const endTaking = store.beforeCommit(makesDue, takeQueued)

  /** Opens the queues of all deliveries that are due, or that were `underway` when the last process ended. */
  async function start(): Promise<void> {
    for (const target of await deliveries.waitingTargets(store.db)) openQueue(target)
  }

  function startAgain(): void {
    starting = start().catch((error: unknown) => void repeatLater(error, startAgain))
  }

  function sendDue(due: readonly deliveries.DueDelivery[]): void {
    for (const target of new Set(due.map((delivery) => delivery.target))) openQueue(target)
  }

  function handleEvents(recorded: readonly RecordedEvent[]): void {
    for (const event of recorded) {
      // A restored snapshot may contain waiting deliveries.
      if (startsEpoch(event)) startAgain()
      // An attempt of an account that no longer exists must not delay other deliveries to its target.
      if (clearsAccount(event)) abort((accountId) => accountId === event.accountId)
      if (makesDue(event)) openQueue(event.target)
    }
  }

  /**
   * Opens queues for the deliveries that the current commit queues, and takes the first of each. If that fails, the queue takes
   * it after the commit, and reports its own failure.
   */
  async function takeQueued(work: UnitOfWork, recorded: readonly DueEvent[]): Promise<void> {
    for (const target of new Set(recorded.map((event) => event.target))) {
      if (!stopping.signal.aborted && !queues.has(target)) await takeFirst(work, target)
    }
  }

  async function takeFirst(work: UnitOfWork, target: string): Promise<void> {
    const queue = addQueue(target)
    let first: DeliveryJob | undefined
    const isDurable = new Promise<boolean>((resolve) => {
      queue.giveUp = () => resolve(false)
      work.addSideEffect({ onCommit: () => resolve(true), onRollback: queue.giveUp })
    })
    queue.done = isDurable.then((durable) => {
      if (durable) return run(target, queue, first)
      queues.delete(target)
      openQueue(target)
      return undefined
    })
    first = await takeJob(work, target, addressOf)
  }

  function openQueue(target: string): void {
    if (stopping.signal.aborted) return
    const open = queues.get(target)
    if (open) {
      // The queue may just have found no delivery, so it looks once more before it closes.
      open.again = true
      return
    }
    const queue = addQueue(target)
    queue.done = run(target, queue)
  }

  function addQueue(target: string): TargetQueue {
    const queue: TargetQueue = {
      again: true,
      done: Promise.resolve(),
      sendingFor: undefined,
      abort: new AbortController(),
    }
    queues.set(target, queue)
    return queue
  }

  const run = (target: string, queue: TargetQueue, first?: DeliveryJob): Promise<void> =>
    drain(target, queue, first).catch((error: unknown) => void repeatLater(error, () => openQueue(target)))

  /** Queues do not await this, because stopping waits for the queues, but not for a repetition. */
  async function repeatLater(failure: unknown, action: () => void): Promise<void> {
    if (await pauseAfterFailure(failure, { signal: stopping.signal, onError })) action()
  }

  async function drain(target: string, queue: TargetQueue, first?: DeliveryJob): Promise<void> {
    // Cached, because parsing a URL takes long, and all deliveries of a queue have the same address.
    const findAddress = cacheLast(addressOf)
    let job = first
    try {
      while (queue.again && !stopping.signal.aborted) {
        queue.again = false
        job ??= await store.transact((work) => takeJob(work, target, findAddress))
        while (job) {
          const current: DeliveryJob = job
          queue.sendingFor = current.delivery.accountId
          const result = await sendDelivery(current, sendOptions, queue.abort.signal)
          queue.sendingFor = undefined
          // The attempt was aborted. The delivery stays underway, and the next process sends it again.
          if (stopping.signal.aborted) return
          job = await store.transact(async (work) => {
            await recordResult(work, current, result, { isInContainer })
            return takeJob(work, target, findAddress)
          })
        }
      }
    } finally {
      // Must run in the same tick as the last check of `again`, because a webhook that is queued in between would be missed.
      queues.delete(target)
    }
  }

  function abort(isMeant: (accountId: string) => boolean): void {
    for (const queue of queues.values()) {
      if (queue.sendingFor === undefined || !isMeant(queue.sendingFor)) continue
      queue.abort.abort()
      queue.abort = new AbortController()
    }
  }

  /** Resolves when no delivery is planned, due or underway. */
  async function settled(): Promise<void> {
    await starting
    await waitUntil(store, {
      match: () => true,
      check: async () => stopping.signal.aborted || !(await deliveries.isAnyPlanned(store.db)),
    })
    sendDue(await deliveries.dueAtOnce(store.db))
    sendDue(await deliveries.dueByTime(store.db, store.time().now))
    await idle()
  }

  /** Resolves when no queue is open. */
  async function idle(): Promise<void> {
    while (queues.size > 0) await Promise.all([...queues.values()].map(({ done }) => done))
  }

  /** Waits up to `graceMs` for running attempts, then aborts them. */
  async function stop(graceMs: number): Promise<void> {
    unsubscribe()
    endTaking()
    await starting
    if (graceMs > 0 && queues.size > 0) await Promise.race([idle(), wait(graceMs)])
    stopping.abort()
    abort(() => true)
    for (const queue of queues.values()) queue.giveUp?.()
    await idle()
  }

  return { start, sendDue, idle, settled, stop, openQueues: () => queues.size }
}

export type WebhookDispatcher = ReturnType<typeof createDispatcher>

type DueEvent = RecordedEvent<EventOf<'delivery.queued' | 'delivery.allowed'>>

const makesDue = (event: RecordedEvent): event is DueEvent =>
  event.type === 'delivery.queued' || event.type === 'delivery.allowed'

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())
