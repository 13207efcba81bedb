import { isSettled, type Delivery } from '../domain/webhooks/delivery.ts'
import { startsEpoch, clearsAccount, type RecordedEvent } from '../domain/events/event.ts'
import * as deliveries from './repositories/deliveries.ts'
import * as epoch from './journal/epoch.ts'
import type { Store, UnitOfWork } from './store.ts'
import { waitUntil } from './wait-until.ts'

/** Deliveries, and the epoch of the journal that their ids belong to. */
export interface QueuedDeliveries {
  readonly deliveries: readonly Delivery[]
  readonly epoch: string | undefined
}

/** Adds the epoch to the deliveries that a unit of work has queued. */
export const withEpoch = async (
  { db }: Pick<UnitOfWork, 'db'>,
  queued: readonly Delivery[],
): Promise<QueuedDeliveries> => ({ deliveries: queued, epoch: await epoch.current(db) })

/**
 * Waits until no attempt of these deliveries is due or underway, and returns their new state. Does not wait for attempts that are
 * due later. Deliveries that a reset has deleted are returned as they were queued.
 */
export async function awaitSettled(
  store: Store,
  queued: QueuedDeliveries,
  signal: AbortSignal,
): Promise<readonly Delivery[]> {
  const ids = queued.deliveries.map(({ id }) => id)
  let unsettled: ReadonlySet<number> = new Set(ids)
  const match = (event: RecordedEvent): boolean =>
    startsEpoch(event) ||
    clearsAccount(event) ||
    // If the clock has changed, other deliveries may be due.
    event.type === 'clock.changed' ||
    ('deliveryId' in event && unsettled.has(event.deliveryId))

  /**
   * `undefined` if the ids belong to different deliveries after a reset. The epoch is read last, so that it is valid for the
   * list.
   */
  async function find(deliveryIds: Iterable<number>): Promise<readonly Delivery[] | undefined> {
    const found = await deliveries.listByIds(store.db, [...deliveryIds])
    return (await epoch.current(store.db)) === queued.epoch ? found : undefined
  }

  await waitUntil(store, {
    match,
    ...(signal && { signal }),
    async check() {
      const found = await find(unsettled)
      // This list does not contain deleted deliveries.
      const open = (found ?? []).filter((delivery) => !isSettled(delivery, store.time().now))
      unsettled = new Set(open.map(({ id }) => id))
      return unsettled.size === 0
    },
  })
  const byId = new Map((await find(ids))?.map((delivery) => [delivery.id, delivery]))
  return queued.deliveries.map((delivery) => byId.get(delivery.id) ?? delivery)
}
