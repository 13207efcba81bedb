import type { HttpFetch } from '../../domain/http/http-fetch.ts'
import type { Link } from '../../domain/links/link.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { readEventOrder, type EventOrder, type PaymentEvent } from '../../domain/webhooks/payment-events.ts'
import type { ReleaseWebhooks } from '../../domain/webhooks/redirect.ts'
import type { PaymentOutcome } from '../../domain/webhooks/webhook.ts'
import { activeBehaviors } from '../operations/accounts/caller.ts'
import { enqueueWebhooks } from '../operations/webhooks/enqueue-webhooks.ts'
import { forgeWebhook } from '../operations/webhooks/forge-webhook.ts'
import type { PaymentResult, PlannedRedirect } from '../operations/webhooks/payment-result.ts'
import { sendRedirect } from '../operations/webhooks/redirect.ts'
import { replayDelivery } from '../operations/webhooks/replay-delivery.ts'
import { awaitSettled, withEpoch, type QueuedDeliveries } from '../../store/await-settled.ts'
import * as epoch from '../../store/journal/epoch.ts'
import * as events from '../../store/journal/events.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import * as links from '../../store/repositories/links.ts'
import type { Store, UnitOfWork } from '../../store/store.ts'

/** Sends the notifications of payments one after another, in the order that the behavior `interleave` lists. */
export interface NotifyInTurn {
  /** Sends the notifications up to a refund. Resolves when they are sent. */
  paid(result: PaymentResult): Promise<void>
  /** Sends the notifications after a refund. Resolves when they are sent. */
  refunded(linkId: number): Promise<void>
}

interface Options {
  readonly release: ReleaseWebhooks
  /** Opens a page of the app, if the egress policy allows its address. */
  readonly openFetchApp: () => Promise<HttpFetch>
  /** The absolute URL of an address that may be a path on the sandbox. */
  readonly addressOf: (address: string) => URL | null
}

/** A payment, and which of its notifications were sent. */
interface Turns {
  readonly link: Link
  readonly originals: QueuedDeliveries
  /** The redirect that is recorded. `null`: there is none. */
  readonly planned: PlannedRedirect | null
  /** Where the browser goes. `null`: nowhere, or it was closed. */
  readonly location: string | null
  /** The ids of the originals that were sent. */
  readonly released: Set<number>
  isRedirected: boolean
}

const PAGE_TIMEOUT_MS = 10_000

export function createNotifyInTurn(
  store: Store,
  { release, openFetchApp, addressOf }: Options,
): NotifyInTurn {
  /** Sends webhooks of the payment: the first time the original, then copies with the same bytes. */
  async function send({ originals, released }: Turns, webhooks: readonly Delivery[]): Promise<void> {
    const first: Delivery[] = []
    const repeated: Delivery[] = []
    for (const webhook of webhooks) {
      ;(released.has(webhook.id) ? repeated : first).push(webhook)
      released.add(webhook.id)
    }
    release({ ids: first.map(({ id }) => id), epoch: originals.epoch })
    await Promise.all([
      awaitSettled(store, { ...originals, deliveries: first }),
      queueAndWait(originals, async (work) => {
        const queued: Delivery[] = []
        for (const webhook of repeated) queued.push(await replayDelivery(work, webhook, {}))
        return queued
      }),
    ])
  }

  const sendAll = (turns: Turns): Promise<void> => send(turns, turns.originals.deliveries)

  const sendTwice = (turns: Turns): Promise<void> =>
    send(turns, [...turns.originals.deliveries, ...turns.originals.deliveries])

  async function sendOneByOne(turns: Turns): Promise<void> {
    for (const webhook of turns.originals.deliveries.toReversed()) await send(turns, [webhook])
  }

  /** Queues webhooks, unless a reset removed the payment meanwhile, and waits until they are sent. */
  async function queueAndWait(
    { epoch: startedIn, deliveries: originals }: QueuedDeliveries,
    queue: (work: UnitOfWork) => Promise<readonly Delivery[]>,
  ): Promise<void> {
    if (originals.length === 0) return
    const queued = await store.transact(async (work) =>
      (await epoch.current(work.db)) === startedIn ? withEpoch(work, await queue(work)) : undefined,
    )
    if (queued !== undefined) await awaitSettled(store, queued)
  }

  /** Queues further webhooks of the link, unless a reset removed it meanwhile, and waits until they are sent. */
  const sendOther = (
    { link, originals }: Turns,
    queue: (work: UnitOfWork, link: Link) => Promise<readonly Delivery[]>,
  ): Promise<void> =>
    queueAndWait(originals, async (work) => {
      const current = await links.find(work.db, link.id)
      return current === undefined ? [] : queue(work, current)
    })

  /** Records the redirect once, whether or not the listed events contain it. */
  async function recordRedirect(turns: Turns): Promise<void> {
    if (turns.isRedirected) return
    turns.isRedirected = true
    await store.transact((work) => sendRedirect(work, turns.planned))
  }

  async function openPage(location: string | null): Promise<void> {
    if (location === null) return
    const fetchApp = await openFetchApp()
    // A page that fails does not stop the events. Tests judge the app by its state.
    await fetchApp(addressOf(location)?.href ?? location, {
      signal: AbortSignal.timeout(PAGE_TIMEOUT_MS),
    }).catch(() => undefined)
  }

  async function redirect(turns: Turns): Promise<void> {
    await recordRedirect(turns)
    await openPage(turns.location)
  }

  const happen: Readonly<Record<PaymentEvent, (turns: Turns) => Promise<unknown>>> = {
    redirect,
    success: sendAll,
    both: (turns) => Promise.all([redirect(turns), sendAll(turns)]),
    targets: sendOneByOne,
    duplicate: sendTwice,
    resend: (turns) =>
      sendOther(turns, async (work, link) =>
        enqueueWebhooks(work, link, 'Success', 'resend', await activeBehaviors(work, link.accountId)),
      ),
    cancel: (turns) =>
      sendOther(turns, (work, link) => forgeWebhook(work, link, { forgery: 'nothing', status: 'cancel' })),
    'cancel-redirect': ({ location }) => openPage(location && withStatus(location, 'cancel')),
    'forged-cancel': (turns) =>
      sendOther(turns, (work, link) => forgeWebhook(work, link, { forgery: 'user', status: 'cancel' })),
    refund: async () => undefined,
  }

  async function run(turns: Turns, order: EventOrder): Promise<void> {
    for (const event of order) {
      // The other events follow once the refund is approved.
      if (event === 'refund') break
      await happen[event](turns)
    }
    await recordRedirect(turns)
  }

  return {
    async paid({ link, deliveries: queued, redirect: target, inTurn }) {
      if (inTurn === null) return
      const turns: Turns = {
        link,
        originals: await withEpoch(store, queued),
        planned: inTurn.planned,
        location: target?.location ?? null,
        released: new Set(),
        isRedirected: false,
      }
      await run(turns, inTurn.events)
    },
    async refunded(linkId) {
      const found = await findTurns(linkId)
      if (found !== undefined) await run(found.turns, found.order)
    },
  }

  /** The events that follow a refund. Everything is read from the database, so a restart in between changes nothing. */
  async function findTurns(linkId: number): Promise<{ turns: Turns; order: EventOrder } | undefined> {
    const { db } = store
    const link = await links.find(db, linkId)
    if (link === undefined) return undefined
    const listed = (await activeBehaviors(store, link.accountId)).settings.interleave
    const order = readEventOrder(listed)
    if (!order.includes('refund')) return undefined
    const [redirected] = await events.newest(db, { linkId, types: ['redirect.sent', 'redirect.lost'] }, 1)
    const sent = await deliveries.listOutcomes(db, linkId)
    return {
      order: order.slice(order.indexOf('refund') + 1),
      turns: {
        link,
        originals: await withEpoch(store, sent),
        planned: null,
        location: redirected?.type === 'redirect.sent' ? redirected.location : null,
        released: new Set(sent.map(({ id }) => id)),
        isRedirected: true,
      },
    }
  }
}

/** The address of a redirect with another status. */
const withStatus = (location: string, status: PaymentOutcome): string =>
  location.replace(/^([^#]*[?&]status=)[^&#]*/, `$1${status}`)
