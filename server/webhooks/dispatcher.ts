import type { EgressPolicy } from '../egress/egress-policy.ts'
import type { Post } from '../egress/post.ts'
import {
  type Attempt,
  type Delivery,
  DELIVERY_HEADER,
  deliverySubject,
  applyAttempt,
} from '../domain/webhooks/delivery.ts'
import type { Instant } from '../domain/time/time.ts'
import type { Store, UnitOfWork } from '../store/store.ts'
import * as deliveries from '../store/repositories/deliveries.ts'
import type { WaitingWebhooks } from '../domain/webhooks/redirect.ts'
import * as epoch from '../store/journal/epoch.ts'
import { type RecordedEvent, startsEpoch, clearsAccount } from '../domain/events/event.ts'
import { takeJob, type DeliveryJob, queueCopies } from './delivery-job.ts'
import { truncate } from '../domain/text/truncate.ts'
import { parseHost } from '../domain/network/allowed-host.ts'
import { isForged } from '../domain/faults/fault.ts'
import { releaseHints } from '../domain/network/release-hints.ts'
import { type Headers, type Exchange, textBody, encodeBody } from '../domain/http/exchange.ts'
import { isDeepStrictEqual } from 'node:util'
import * as egressRules from '../store/repositories/egress-rules.ts'
import { omitUndefined } from '../domain/text/omit-undefined.ts'
import { releaseRedirect } from './release-redirect.ts'
import { diagnoseAttempt } from '../domain/diagnostics/diagnose-attempt.ts'
import { linkSubject } from '../domain/links/subject.ts'
import { waitUntil } from '../store/wait-until.ts'
import * as faults from '../store/repositories/faults.ts'

interface DispatcherOptions {
  readonly checkEgress: EgressPolicy
  readonly post: Post
  /** Where a target leads, `null` where it is no address. */
  readonly addressOf: (target: string) => URL | null
  /** The path of a target on the sandbox itself, `null` for any other. */
  readonly ownPath: (target: string) => string | null
  /** Whether localhost is a container's own. */
  readonly isInContainer: boolean
  readonly onError: (error: unknown) => void
}

/** The store failed, and what waits for its target or its redirect would be left lying. */
const WAIT_AFTER_FAILURE_MS = 2_000

interface AttemptResult {
  readonly attempt: Attempt
  readonly startedAt: Instant
  /** Another attempt would come to the same. */
  readonly isFinal: boolean
}

type SendResult = AttemptResult | { readonly held: string }

/**
 * Carries webhooks from the outbox to their targets: one lane for each target, so that a target sees its
 * webhooks in order and a slow one holds up none of the others. Wherever a map leads, the lane is that of the target,
 * as the service knows no maps: an edit turns no order around.
 */
export function createDispatcher(
  store: Store,
  { checkEgress: guard, post, addressOf, ownPath, isInContainer, onError }: DispatcherOptions,
) {
  const queues = new Map<string, { again: boolean; done: Promise<void> }>()
  const underway = new Set<{ readonly accountId: string; readonly cut: AbortController }>()
  let isStopping = false
  const unsubscribe = store.feed.subscribe(handleEvents)

  let starting: Promise<void> = Promise.resolve()
  const releases = new Set<Promise<void>>()

  /** Sets out with everything that is due, or was underway when the process before this one ended. */
  async function start(): Promise<void> {
    for (const target of await deliveries.waitingTargets(store.db)) openQueue(target)
  }

  function startAgain(): void {
    starting = start().catch((error: unknown) => {
      onError(error)
      retryLater(startAgain)
    })
  }

  /** Sets out with what has become due since it was put off. */
  function sendDue(due: readonly deliveries.DueDelivery[]): void {
    for (const target of new Set(due.map((delivery) => delivery.target))) openQueue(target)
  }

  /** Sets out with webhooks whose redirect was answered, or never will be. */
  function release(waiting: WaitingWebhooks): void {
    const { ids, epoch: queuedIn } = waiting
    const releasing = store
      .transact(async ({ db }) =>
        (await epoch.current(db)) === queuedIn ? deliveries.clearOrder(db, ids) : [],
      )
      .then(sendDue)
      .catch((error: unknown) => {
        onError(error)
        retryLater(() => release(waiting))
      })
      .finally(() => releases.delete(releasing))
    releases.add(releasing)
  }

  function handleEvents(recorded: readonly RecordedEvent[]): void {
    for (const event of recorded) {
      // Where a snapshot was restored, its webhooks wait.
      if (startsEpoch(event)) startAgain()
      // What is of no use any more is not to hold up the webhooks behind it.
      if (clearsAccount(event)) abort((accountId) => accountId === event.accountId)
      if (event.type === 'delivery.queued' || event.type === 'delivery.released') openQueue(event.target)
    }
  }

  function openQueue(target: string): void {
    const queue = queues.get(target)
    if (isStopping) return
    if (queue) {
      // The lane may just have found nothing; it looks once more before it closes.
      queue.again = true
      return
    }
    const opened = { again: true, done: Promise.resolve() }
    queues.set(target, opened)
    opened.done = drain(target, opened).catch((error: unknown) => {
      onError(error)
      retryLater(() => openQueue(target))
    })
  }

  /** What the store failed at is done once it works again; after the end, by the next start. */
  function retryLater(action: () => void): void {
    setTimeout(() => {
      if (!isStopping) action()
    }, WAIT_AFTER_FAILURE_MS).unref()
  }

  async function drain(target: string, queue: { again: boolean }): Promise<void> {
    try {
      while (queue.again && !isStopping) {
        queue.again = false
        await drainOnce(target)
      }
    } finally {
      // In the same breath as the last look at `again`, or a webhook queued in between would be left lying.
      queues.delete(target)
    }
  }

  async function drainOnce(target: string): Promise<void> {
    let job = await store.transact((work) => takeJob(work, target, hrefOf))
    while (job) {
      const current: DeliveryJob = job
      const outcome = await send(current)
      // Cut off by the end of the process: it stays underway, and the next start takes it again.
      if (isStopping) return
      job = await store.transact(async (work) => {
        await recordResult(work, current, outcome)
        return takeJob(work, target, hrefOf)
      })
    }
  }

  async function send({ delivery, effect, mappedTo, outlets: known }: DeliveryJob): Promise<SendResult> {
    const sending = { accountId: delivery.accountId, cut: new AbortController() }
    underway.add(sending)
    try {
      const url = addressOf(mappedTo ?? delivery.target)
      // A snapshot by hand may have such a row, and it is not to stop the lane.
      if (url === null) {
        const attempt = { ...NOT_SENT, error: `${truncate(delivery.target, 100)} is no URL` }
        return { attempt, startedAt: store.now().toISOString(), isFinal: true }
      }
      const verdict = await guard(url, {
        released: delivery.releasedTo === parseHost(url.href),
        isForged: isForged(delivery.fault),
      })
      if (verdict.verdict === 'hold') {
        const meant = mappedTo === undefined ? url.href : delivery.target
        return {
          held: `${verdict.reason}. Release this delivery, ${releaseHints(meant, mappedTo, known.maps)}`,
        }
      }
      const startedAt = store.now().toISOString()
      if (verdict.verdict === 'never') {
        return { attempt: { ...NOT_SENT, error: verdict.reason }, startedAt, isFinal: true }
      }
      if (effect?.kind === 'drop') return { attempt: DROPPED, startedAt, isFinal: false }
      if (effect?.kind === 'status') {
        return { attempt: { ...NOT_SENT, status: effect.status }, startedAt, isFinal: false }
      }
      const webhook = {
        ...delivery,
        headers: headersFor(url, delivery),
        ...(effect?.kind === 'slow' ? { slowMs: effect.ms } : {}),
        ...(effect?.kind === 'content-type' ? { contentType: effect.type } : {}),
      }
      const attempt = await post(url, verdict.addresses, webhook, sending.cut.signal)
      return { attempt, startedAt, isFinal: false }
    } finally {
      underway.delete(sending)
    }
  }

  function abort(isMeant: (accountId: string) => boolean): void {
    for (const { accountId, cut } of underway) if (isMeant(accountId)) cut.abort()
  }

  const hrefOf = (target: string): string => addressOf(target)?.href ?? target

  /** The sandbox's own tunnels are told which webhook this is. Nobody else sees what a real one would not have. */
  const headersFor = ({ href }: URL, { id }: Delivery): Headers =>
    ownPath(href)?.startsWith('/tunnel/') ? [[DELIVERY_HEADER, String(id)]] : []

  async function recordResult(work: UnitOfWork, job: DeliveryJob, outcome: SendResult): Promise<void> {
    const { delivery } = job
    // A reset in the meantime gave the id to another delivery.
    if ((await epoch.current(work.db)) !== job.epoch) return
    // Its account was reset in the meantime, and what came of it is nobody's.
    const known = await deliveries.find(work.db, delivery.id)
    if (!known) return
    if ('held' in outcome) {
      const held = (await withoutFault(work, job)).delivery
      // A map or a host that came while it was judged found nothing that was held, and counts for it too.
      if (!isDeepStrictEqual(await egressRules.read(work.db), job.outlets)) {
        await deliveries.save(work.db, { ...held, state: 'pending', order: known.order })
        return
      }
      await deliveries.save(work.db, { ...held, state: 'held', nextAttemptAt: null, order: null })
      const { mappedTo } = job
      const about = { ...deliverySubject(held), ...omitUndefined({ mappedTo }) }
      await work.record({ type: 'delivery.held', ...about, heldReason: outcome.held })
    } else await recordAttempt(work, outcome.isFinal ? await withoutFault(work, job) : job, outcome)
    // As it is known now: since it was taken the customer may have left.
    if (known.order === 'webhook-first') await releaseRedirect(work, known)
  }

  async function recordAttempt(
    work: UnitOfWork,
    { delivery, effect, mappedTo }: DeliveryJob,
    { attempt, startedAt, isFinal }: AttemptResult,
  ): Promise<void> {
    const wentTo = mappedTo ?? delivery.target
    const updated = applyAttempt(isFinal ? { ...delivery, retries: 'none' } : delivery, attempt, work.now)
    await deliveries.save(work.db, updated)
    const of = await work.record(
      {
        type: 'delivery.attempted',
        ...deliverySubject(delivery),
        ...omitUndefined({ mappedTo }),
        attempt: updated.attempts,
        startedAt,
        httpStatus: attempt.status,
        error: attempt.error,
        ...(attempt.via === undefined ? {} : { via: attempt.via }),
        ms: attempt.ms,
        state: updated.state,
        nextAttemptAt: updated.nextAttemptAt,
        possibleDuplicate: delivery.possibleDuplicate,
      },
      exchangeOf(hrefOf(wentTo), delivery, attempt),
    )
    if (effect?.kind === 'duplicate') await queueCopies(work, delivery, effect.copies)
    await deliveries.releaseReordered(work.db, delivery.target, work.now)
    // What was never sent the receiver cannot have answered.
    if (effect?.kind === 'drop' || effect?.kind === 'status') return
    const { accountId, linkId: id, payId } = delivery
    for (const found of diagnoseAttempt({ ...delivery, target: wentTo }, attempt, isInContainer)) {
      await work.record({
        type: 'diagnostic.found',
        ...linkSubject({ accountId, id, payId }),
        ...found,
        eventSeq: of,
      })
    }
  }

  /** Waits until nothing is due and nothing is underway. */
  async function settled(): Promise<void> {
    await starting
    await redirectsDone()
    await Promise.all(releases)
    sendDue(await deliveries.retriesDue(store.db, store.time().now))
    await idle()
  }

  async function redirectsDone(): Promise<void> {
    await waitUntil(store, {
      match: () => true,
      check: async () => isStopping || !(await deliveries.isAnyBehindRedirect(store.db)),
    })
  }

  /** Waits until no lane is open. */
  async function idle(): Promise<void> {
    while (queues.size > 0) await Promise.all([...queues.values()].map(({ done }) => done))
  }

  /** Lets what is underway finish for a while, then cuts it off. */
  async function stop(graceMs: number): Promise<void> {
    unsubscribe()
    await starting
    if (graceMs > 0 && queues.size > 0) await Promise.race([idle(), wait(graceMs)])
    isStopping = true
    abort(() => true)
    await idle()
  }

  return { start, carryDue: sendDue, letOut: release, idle, settled, stop }
}

export type WebhookDispatcher = ReturnType<typeof createDispatcher>

const NOT_SENT: Attempt = {
  status: null,
  error: null,
  ms: 0,
  requestHeaders: [],
  responseHeaders: [],
  responseBody: new Uint8Array(),
  responseSize: 0,
}

/** A webhook that nothing came of, as it was before a fault struck it just now. */
async function withoutFault(work: UnitOfWork, job: DeliveryJob): Promise<DeliveryJob> {
  const { delivery, isStruck } = job
  if (!isStruck || delivery.fault === null) return job
  await faults.refundStrike(work.db, delivery.fault)
  return { ...job, delivery: { ...delivery, fault: null }, effect: undefined }
}

const DROPPED: Attempt = { ...NOT_SENT, error: 'dropped on the way' }

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())

const exchangeOf = (url: string, { body }: Delivery, attempt: Attempt): Exchange => ({
  request: { method: 'POST', url, headers: attempt.requestHeaders, body: textBody(body) },
  response:
    attempt.status === null
      ? null
      : {
          status: attempt.status,
          headers: attempt.responseHeaders,
          body: encodeBody(attempt.responseBody, attempt.responseSize),
        },
})
