import type { HttpFetch } from '../domain/http/http-fetch.ts'
import type { Link } from '../domain/links/link.ts'
import type { EventOrder, PaymentEvent } from '../domain/webhooks/payment-events.ts'
import type { ReleaseWebhooks } from '../domain/webhooks/redirect.ts'
import { forgeWebhook } from '../operations/webhooks/forge-webhook.ts'
import type { PaymentResult } from '../operations/webhooks/payment-result.ts'
import { sendRedirect, type PlannedRedirect } from '../operations/webhooks/redirect.ts'
import { replayDelivery } from '../operations/webhooks/replay-delivery.ts'
import { awaitSettled, withEpoch, type QueuedDeliveries } from '../store/await-settled.ts'
import * as epoch from '../store/journal/epoch.ts'
import * as links from '../store/repositories/links.ts'
import type { Store, UnitOfWork } from '../store/store.ts'

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
  readonly planned: PlannedRedirect | null
  /** Where the browser goes. `null`: nowhere, or it was closed. */
  readonly location: string | null
  isReleased: boolean
  isRedirected: boolean
}

const PAGE_TIMEOUT_MS = 10_000

export function createNotifyInTurn(
  store: Store,
  { release, openFetchApp, addressOf }: Options,
): NotifyInTurn {
  /** The payments whose next events wait for a refund. They are forgotten when the process ends. */
  const waiting = new Map<number, { readonly turns: Turns; readonly events: EventOrder }>()

  async function sendWebhook(turns: Turns): Promise<void> {
    const { originals } = turns
    if (!turns.isReleased) {
      turns.isReleased = true
      release({ ids: originals.deliveries.map(({ id }) => id), epoch: originals.epoch })
      await awaitSettled(store, originals)
      return
    }
    await sendAndWait(originals, async (work) => {
      const sent = []
      for (const original of originals.deliveries) sent.push(await replayDelivery(work, original, {}))
      return sent
    })
  }

  /** Queues webhooks, unless a reset removed the payment meanwhile, and waits until they are sent. */
  async function sendAndWait(
    { epoch: startedIn }: QueuedDeliveries,
    queue: (work: UnitOfWork) => Promise<QueuedDeliveries['deliveries']>,
  ): Promise<void> {
    const queued = await store.transact(async (work) =>
      (await epoch.current(work.db)) === startedIn ? withEpoch(work, await queue(work)) : undefined,
    )
    if (queued !== undefined) await awaitSettled(store, queued)
  }

  async function redirect(turns: Turns, opensPage: boolean): Promise<void> {
    const { planned, location } = turns
    if (!turns.isRedirected) {
      turns.isRedirected = true
      await store.transact((work) => sendRedirect(work, planned))
    }
    if (!opensPage || location === null) return
    const fetchApp = await openFetchApp()
    // A page that fails does not stop the events. Tests judge the app by its state.
    await fetchApp(addressOf(location)?.href ?? location, {
      signal: AbortSignal.timeout(PAGE_TIMEOUT_MS),
    }).catch(() => undefined)
  }

  async function cancel({ link, originals }: Turns): Promise<void> {
    if (originals.deliveries.length === 0) return
    await sendAndWait(originals, async (work) => {
      const current = await links.find(work.db, link.id)
      if (current === undefined) return []
      return forgeWebhook(work, current, { forgery: 'nothing', status: 'cancel' })
    })
  }

  const happen: Readonly<Record<PaymentEvent, (turns: Turns) => Promise<unknown>>> = {
    success: sendWebhook,
    redirect: (turns) => redirect(turns, true),
    both: (turns) => Promise.all([redirect(turns, true), sendWebhook(turns)]),
    cancel,
    refund: async () => undefined,
  }

  async function run(turns: Turns, events: EventOrder): Promise<void> {
    for (const [index, event] of events.entries()) {
      if (event === 'refund') {
        waiting.set(turns.link.id, { turns, events: events.slice(index + 1) })
        break
      }
      await happen[event](turns)
    }
    await redirect(turns, false)
  }

  return {
    async paid({ link, deliveries, redirect: target, inTurn }) {
      if (inTurn === null) return
      await run(
        {
          link,
          originals: await withEpoch(store, deliveries),
          planned: inTurn.planned,
          location: target?.location ?? null,
          isReleased: false,
          isRedirected: false,
        },
        inTurn.events,
      )
    },
    async refunded(linkId) {
      const next = waiting.get(linkId)
      waiting.delete(linkId)
      if (next !== undefined) await run(next.turns, next.events)
    },
  }
}
