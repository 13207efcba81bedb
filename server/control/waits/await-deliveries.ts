import { isSettled, type Delivery } from '../../domain/webhooks/delivery.ts'
import { startsEpoch, clearsAccount } from '../../domain/events/event.ts'
import { createSignal } from '../../store/journal/signal.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import * as epoch from '../../store/journal/epoch.ts'
import type { Store, UnitOfWork } from '../../store/store.ts'
import type { WaitMode } from '../../contract/schemas/request-fields.ts'

/** Deliveries, and the life of the journal their ids belong to. */
export interface QueuedDeliveries {
  readonly deliveries: readonly Delivery[]
  readonly epoch: string | undefined
}

/** Notes in a unit of work what it has sent. */
export const withEpoch = async (
  { db }: Pick<UnitOfWork, 'db'>,
  sent: readonly Delivery[],
): Promise<QueuedDeliveries> => ({
  deliveries: sent,
  epoch: await epoch.current(db),
})

/** What has become of deliveries, at once or once they have settled. */
export const awaitDeliveries = async (
  store: Store,
  sent: QueuedDeliveries,
  until: WaitMode,
  signal: AbortSignal,
): Promise<readonly Delivery[]> => (until === 'settled' ? settled(store, sent, signal) : sent.deliveries)

/**
 * Waits until nothing of some deliveries is due, and gives them as they are then: an attempt that is due later is not
 * waited for. Where a reset of the sandbox or of their account has swept them away, they are as they were sent.
 *
 * Listening starts before the first look, so an attempt that ends in between is not missed.
 */
async function settled(
  store: Store,
  sent: QueuedDeliveries,
  signal: AbortSignal,
): Promise<readonly Delivery[]> {
  let unsettled: ReadonlySet<number> = new Set(sent.deliveries.map(({ id }) => id))
  const bell = createSignal()
  const unsubscribe = store.feed.subscribe((recorded) => {
    const concerns = recorded.some(
      (event) =>
        startsEpoch(event) ||
        // What was due may not be any more.
        event.type === 'clock.changed' ||
        clearsAccount(event) ||
        ('deliveryId' in event && unsettled.has(event.deliveryId)),
    )
    if (concerns) bell.notify()
  })
  signal.addEventListener('abort', bell.notify)

  try {
    for (;;) {
      const looked = await deliveries.listByIds(store.db, [...unsettled])
      // Asked after the look: a reset before it gave the ids to others.
      if ((await epoch.current(store.db)) !== sent.epoch) return sent.deliveries
      const open = looked.filter((delivery) => !isSettled(delivery, store.time().now))
      // What was swept away is not among them.
      unsettled = new Set(open.map(({ id }) => id))
      if (unsettled.size === 0 || signal.aborted) break
      await bell.wait()
    }
    const ids = sent.deliveries.map(({ id }) => id)
    const last = new Map(
      (await deliveries.listByIds(store.db, ids)).map((delivery) => [delivery.id, delivery]),
    )
    if ((await epoch.current(store.db)) !== sent.epoch) return sent.deliveries
    return sent.deliveries.map((delivery) => last.get(delivery.id) ?? delivery)
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', bell.notify)
  }
}
