import { type EventOf, type RecordedEvent, startsEpoch, clearsAccount } from '../../domain/events/event.ts'
import { cacheLast } from '../../domain/text/cache-last.ts'
import { pauseAfterFailure } from '../../store/pause-after-failure.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import type { Store, UnitOfWork } from '../../store/store.ts'
import { waitUntil } from '../../store/wait-until.ts'
import { takeJobs, type DeliveryJob } from './delivery-job.ts'
import { giveBack, recordResult, type RecordOptions } from './record-result.ts'
import { sendDelivery, type SendOptions, type SendResult } from './send-delivery.ts'
import { TakenAhead } from './taken-ahead.ts'

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
  /** Whether something has changed that may decide which delivery comes next, or how it is sent. */
  isOutdated: boolean
  /** Closes the queue if the commit in which its first delivery was taken is not durable yet. */
  giveUp?: () => void
}

/**
 * Sends webhooks from the outbox to their targets. Each target has a queue with one attempt at a time, so it gets its webhooks in
 * sequence, and a slow target does not delay the others. If a map leads two targets to one address, they keep two queues, because
 * the real service has no maps, and a map must not change the sequence.
 *
 * In the database, a delivery is `underway` from before its attempt until the attempt is recorded. If the process is killed in
 * between, the next process sends the delivery again as a possible duplicate. On PostgreSQL, each commit waits for the disk, which
 * can take longer than an attempt. Two things save commits:
 *
 * - If its target has no queue, a delivery becomes `underway` in the commit that queues it.
 * - While a target answers quickly, its queue takes deliveries before it sends them, and sends the next one while the result of the
 *   previous one is committed. After a kill, nobody knows which of them were sent, so all are possible duplicates. That is why they
 *   are few (`MAX_UNDERWAY`). If something changes that may decide what is sent next, those that were not sent are given back.
 */
export function createDispatcher(
  store: Store,
  { addressOf, isInContainer, onError, ...options }: DispatcherOptions,
) {
  const sendOptions = { ...options, now: () => store.now() }
  const mostUnderway = store.commitsWaitForDisk ? deliveries.MAX_UNDERWAY : 1
  const queues = new Map<string, TargetQueue>()
  /** By target, the deliveries that were taken and not sent. The next commit that takes deliveries gives these back. */
  const unsent = new Map<string, readonly DeliveryJob[]>()
  let starting: Promise<void> = Promise.resolve()
  /** Aborted when no further attempt may begin. */
  const stopping = new AbortController()
  let areAttemptsAborted = false
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
    for (const { target } of due) openQueue(target)
  }

  /** Sends deliveries that a plan has started. They may be older than those that were taken. */
  function sendStarted(due: readonly deliveries.DueDelivery[]): void {
    for (const { target } of due) startOver(target)
    sendDue(due)
  }

  /** The queue of a target, or of every target, gives back what it has taken, and takes it again. */
  function startOver(target?: string): void {
    for (const [each, queue] of queues) if (target === undefined || target === each) queue.isOutdated = true
  }

  function handleEvents(recorded: readonly RecordedEvent[]): void {
    for (const event of recorded) {
      // A restored snapshot may contain waiting deliveries.
      if (startsEpoch(event)) startAgain()
      // An attempt of an account that no longer exists must not delay other deliveries to its target.
      if (clearsAccount(event)) abort((accountId) => accountId === event.accountId)
      if (changesSending(event)) startOver()
      // It may be older than those that were taken.
      if (event.type === 'delivery.allowed') startOver(event.target)
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
    let first: readonly DeliveryJob[] = []
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
    first = await takeFirstJobs(work, target, addressOf)
  }

  async function takeFirstJobs(
    work: UnitOfWork,
    target: string,
    findAddress: (target: string) => URL | null,
  ): Promise<readonly DeliveryJob[]> {
    await giveBackUnsent(work, target)
    await deliveries.resume(work.db, target)
    return takeJobs(work, target, findAddress, 1)
  }

  async function giveBackUnsent(work: UnitOfWork, target: string): Promise<void> {
    const jobs = unsent.get(target)
    if (!jobs) return
    for (const job of jobs) await giveBack(work, job)
    work.addSideEffect({ onCommit: () => unsent.delete(target), onRollback: () => {} })
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
      isOutdated: false,
    }
    queues.set(target, queue)
    return queue
  }

  const run = (target: string, queue: TargetQueue, first?: readonly DeliveryJob[]): Promise<void> =>
    drain(target, queue, first).catch((error: unknown) => void repeatLater(error, () => openQueue(target)))

  /** Queues do not await this, because stopping waits for the queues, but not for a repetition. */
  async function repeatLater(failure: unknown, action: () => void): Promise<void> {
    if (await pauseAfterFailure(failure, { signal: stopping.signal, onError })) action()
  }

  async function drain(target: string, queue: TargetQueue, first?: readonly DeliveryJob[]): Promise<void> {
    // Cached, because parsing a URL takes long, and all deliveries of a queue have the same address.
    const findAddress = cacheLast(addressOf)
    const ahead = new TakenAhead()
    if (first) ahead.add(1, Promise.resolve(first))
    try {
      while (queue.again && !stopping.signal.aborted) {
        queue.again = false
        const take = (work: UnitOfWork) => takeFirstJobs(work, target, findAddress)
        if (ahead.most === 0) ahead.add(1, store.transact(take))
        await sendTaken(target, queue, ahead, findAddress)
      }
      // If this fails, the next process sends them as possible duplicates.
      if (stopping.signal.aborted && (await putAside(target, ahead)))
        await store.transact((work) => giveBackUnsent(work, target)).catch(() => undefined)
    } catch (error) {
      await putAside(target, ahead)
      throw error
    } finally {
      // Must run in the same tick as the last check of `again`, because a webhook that is queued in between would be missed.
      queues.delete(target)
    }
  }

  /** Sends what was taken, and takes further deliveries, until none is due. */
  async function sendTaken(
    target: string,
    queue: TargetQueue,
    ahead: TakenAhead,
    findAddress: (target: string) => URL | null,
  ): Promise<void> {
    for (;;) {
      const job = await ahead.next(stopping.signal)
      if (job === undefined) return
      queue.sendingFor = job.delivery.accountId
      const result = await sendDelivery(job, sendOptions, queue.abort.signal)
      queue.sendingFor = undefined
      // The attempt was aborted. The delivery stays underway, and the next process sends it again.
      if (areAttemptsAborted) return
      const mostAhead = isQuick(result) ? mostUnderway : 1
      if (queue.isOutdated || mostAhead === 1) await putAside(target, ahead)
      queue.isOutdated = false
      const count = stopping.signal.aborted ? 0 : mostAhead - ahead.most
      const takeNext = async (work: UnitOfWork) => {
        await recordResult(work, job, result, { isInContainer })
        await giveBackUnsent(work, target)
        return takeJobs(work, target, findAddress, count)
      }
      ahead.add(count, store.transact(takeNext))
    }
  }

  /** Keeps what was taken and not sent, so that it is given back. Returns whether there is any. */
  async function putAside(target: string, ahead: TakenAhead): Promise<boolean> {
    const jobs = await ahead.takeAll()
    if (jobs.length > 0) unsent.set(target, jobs)
    return jobs.length > 0
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

  /** Begins no further attempt, because another process will send the rest. Waits up to `graceMs` for running attempts. */
  async function finish(graceMs: number): Promise<void> {
    stopping.abort()
    await starting
    await Promise.race([idle(), wait(graceMs)])
  }

  /** Waits up to `graceMs` for attempts, unless `finish` has already waited, then aborts them. */
  async function stop(graceMs: number): Promise<void> {
    unsubscribe()
    endTaking()
    await starting
    if (graceMs > 0 && queues.size > 0 && !stopping.signal.aborted)
      await Promise.race([idle(), wait(graceMs)])
    stopping.abort()
    areAttemptsAborted = true
    abort(() => true)
    for (const queue of queues.values()) queue.giveUp?.()
    await idle()
  }

  return { start, sendDue, sendStarted, idle, settled, finish, stop, openQueues: () => queues.size }
}

export type WebhookDispatcher = ReturnType<typeof createDispatcher>

type DueEvent = RecordedEvent<EventOf<'delivery.queued' | 'delivery.allowed'>>

const makesDue = (event: RecordedEvent): event is DueEvent =>
  event.type === 'delivery.queued' || event.type === 'delivery.allowed'

/** Whether an event may change how deliveries are sent. */
const changesSending = (event: RecordedEvent): boolean =>
  startsEpoch(event) || clearsAccount(event) || SENDING_CHANGES.has(event.type)

const SENDING_CHANGES: ReadonlySet<RecordedEvent['type']> = new Set([
  'fault.added',
  'fault.removed',
  'maps.changed',
  'hosts.changed',
  'clock.changed',
])

/** A few times as long as a commit. If attempts take longer, waiting for a commit before each of them changes little. */
const QUICK_MS = 20

const isQuick = (result: SendResult): boolean => !('attempt' in result) || result.attempt.ms < QUICK_MS

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())
