import { finished } from 'node:stream'
import type { Context } from 'hono'
import { clearsAccount, startsEpoch } from '../../domain/events/event.ts'
import type { Link } from '../../domain/links/link.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { ReleaseWebhooks } from '../../domain/webhooks/redirect.ts'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import type { PaymentResult } from '../operations/webhooks/payment-result.ts'
import { loseRedirect, resolveRedirect } from '../operations/webhooks/redirect.ts'
import * as epoch from '../../store/journal/epoch.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import type { Store, UnitOfWork } from '../../store/store.ts'
import { waitUntil } from '../../store/wait-until.ts'
import { checkoutPath } from './paths.ts'

/** A redirect and webhooks of which one waits for the other, and the epoch of the journal that their ids belong to. */
export interface OrderedNotifications {
  readonly order: NonNullable<Delivery['order']>
  readonly link: Link
  readonly deliveryIds: readonly number[]
  readonly epoch: string | undefined
}

/** Returns which notifications of an outcome wait for each other, `undefined` if none do. */
export const orderedNotifications = async (
  { db }: Pick<UnitOfWork, 'db'>,
  { order, link, deliveries: queued }: PaymentResult,
): Promise<OrderedNotifications | undefined> =>
  order === null
    ? undefined
    : { order, link, deliveryIds: queued.map(({ id }) => id), epoch: await epoch.current(db) }

/** Releases the webhooks as soon as the response is sent or its connection is closed. */
export function releaseAfterResponse(
  c: Context<NodeEnv>,
  { deliveryIds: ids, epoch: startedIn }: OrderedNotifications,
  releaseWebhooks: ReleaseWebhooks,
): void {
  const { outgoing } = c.env
  const { socket } = c.env.incoming
  // With HTTP pipelining, a response that waits behind another one does not notice that its connection was closed.
  const stop = finished(outgoing, done)
  socket.once('close', done)
  socket.setMaxListeners(0)
  if (socket.destroyed) done()

  function done(): void {
    stop()
    socket.off('close', done)
    releaseWebhooks({ ids, epoch: startedIn })
  }
}

/**
 * Waits for the webhooks that come before the redirect, and returns where the browser goes then. The redirect is
 * stored with the deliveries. If a reset removed them, the browser goes back to the page of the link.
 */
export async function redirectAfterWebhooks(
  store: Store,
  { link, deliveryIds, epoch: startedIn }: OrderedNotifications,
  signal: AbortSignal,
): Promise<{ readonly location: string; readonly status: 302 | 303 }> {
  try {
    await waitForRedirect(store, link.id, signal)
  } catch (error) {
    await store.transact(async (work) => {
      if ((await epoch.current(work.db)) === startedIn) await loseRedirect(work, deliveryIds)
    })
    throw error
  }
  const isSameEpoch = (await epoch.current(store.db)) === startedIn
  const [first] = isSameEpoch ? await deliveries.listByIds(store.db, deliveryIds) : []
  return first?.redirect
    ? { location: (await resolveRedirect(store, first.redirect)).location, status: 302 }
    : { location: checkoutPath(link), status: 303 }
}

/** Waits as long as the redirect of a link waits for webhooks. Throws if `signal` is aborted. */
export async function waitForRedirect(store: Store, linkId: number, signal: AbortSignal): Promise<void> {
  const isDecided = await waitUntil(store, {
    match: (event) => event.linkId === linkId || startsEpoch(event) || clearsAccount(event),
    check: async () => !(await deliveries.isRedirectWaiting(store.db, linkId)),
    signal,
  })
  if (!isDecided) signal.throwIfAborted()
}
