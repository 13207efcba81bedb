import type { Delivery } from '../domain/webhooks/delivery.ts'
import type { Link } from '../domain/links/link.ts'
import type { UnitOfWork, Store } from '../store/store.ts'
import type { PaymentResult } from '../operations/webhooks/payment-result.ts'
import * as epoch from '../store/journal/epoch.ts'
import type { Context } from 'hono'
import type { NodeEnv } from '../http/node-env.ts'
import type { ReleaseWebhooks } from '../domain/webhooks/redirect.ts'
import { finished } from 'node:stream'
import { recordLostRedirect } from '../operations/webhooks/lost-redirects.ts'
import * as events from '../store/journal/events.ts'
import { checkoutPath } from './paths.ts'
import { waitUntil } from '../store/wait-until.ts'
import { startsEpoch, clearsAccount } from '../domain/events/event.ts'
import * as deliveries from '../store/repositories/deliveries.ts'

/** A redirect and its webhooks, of which one waits for the other, and the life of the journal they belong to. */
export interface OrderedNotifications {
  readonly order: NonNullable<Delivery['order']>
  readonly link: Link
  readonly deliveries: readonly Delivery[]
  readonly epoch: string | undefined
}

/** Notes in a unit of work which notifications of an outcome wait for each other. */
export const orderedNotifications = async (
  { db }: Pick<UnitOfWork, 'db'>,
  { order, link, deliveries: sent }: PaymentResult,
): Promise<OrderedNotifications | undefined> =>
  order === null ? undefined : { order, link, deliveries: sent, epoch: await epoch.current(db) }

/** Lets the webhooks out as soon as the answer has left, or the connection that it was for is closed. */
export function releaseAfterResponse(
  c: Context<NodeEnv>,
  { deliveries: sent, epoch: begun }: OrderedNotifications,
  releaseWebhooks: ReleaseWebhooks,
): void {
  const { outgoing } = c.env
  const { socket } = c.env.incoming
  // An answer that stands behind another on its connection is not told that this was closed.
  const stop = finished(outgoing, done)
  socket.once('close', done)
  socket.setMaxListeners(0)
  if (socket.destroyed) done()

  function done(): void {
    stop()
    socket.off('close', done)
    releaseWebhooks({ ids: sent.map(({ id }) => id), epoch: begun })
  }
}

/**
 * Waits for the webhooks that are to come before the redirect, and gives where the browser goes then. A reset may
 * have taken the payment away meanwhile: the page of the link says what is true now.
 */
export async function redirectAfterWebhooks(
  store: Store,
  { link, deliveries: waitedFor, epoch: begun }: OrderedNotifications,
  signal: AbortSignal,
): Promise<{ readonly location: string; readonly status: 302 | 303 }> {
  try {
    await waitForRedirect(store, link.id, signal)
  } catch (error) {
    await store.transact(async (work) => {
      if ((await epoch.current(work.db)) === begun) await recordLostRedirect(work, waitedFor)
    })
    throw error
  }
  const types = ['redirect.sent', 'redirect.lost'] as const
  const [last] = await events.newest(store.db, { linkId: link.id, types }, 1)
  return last?.type === 'redirect.sent'
    ? { location: last.location, status: 302 }
    : { location: checkoutPath(link), status: 303 }
}

/** Waits while the redirect of a link waits for webhooks. Throws where whoever asks has gone. */
export async function waitForRedirect(store: Store, linkId: number, signal: AbortSignal): Promise<void> {
  const isDecided = await waitUntil(store, {
    match: (event) => event.linkId === linkId || startsEpoch(event) || clearsAccount(event),
    check: async () => !(await deliveries.isRedirectWaiting(store.db, linkId)),
    signal,
  })
  if (!isDecided) signal.throwIfAborted()
}
