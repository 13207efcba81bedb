import type { RecordedEvent } from '../../domain/events/event.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import type { Store } from '../../store/store.ts'
import { waitUntil } from '../../store/wait-until.ts'
import { concernsAccount } from './concerns-account.ts'

interface SettleOptions {
  readonly account?: string | undefined
  readonly timeoutMs: number
}

/** Waits until no delivery is due or underway, and counts the deliveries by state. */
export async function waitUntilSettled(
  store: Store,
  { account, timeoutMs }: SettleOptions,
  signal: AbortSignal,
): Promise<{ readonly counts: SettledCounts } | { readonly unsettled: deliveries.UnsettledDeliveries }> {
  const isSettled = await waitUntil(store, {
    ...whenSettled(store, account),
    signal,
    timeoutMs,
  })
  if (!isSettled) {
    const unsettled = await deliveries.unsettled(store.db, account, store.time().now)
    // The last delivery may have settled since the previous check.
    if (unsettled.count > 0) return { unsettled }
  }
  return { counts: await countDeliveries(store, account) }
}

/**
 * The condition that no delivery is due or underway. Does not read the database after each attempt, but only when all deliveries
 * that were unsettled at the last check have been attempted. On PostgreSQL, each read would delay the next attempts.
 */
function whenSettled(store: Store, account: string | undefined) {
  const concerns = concernsAccount(account)
  let awaited: readonly number[] = []
  /** The deliveries that were attempted since the last check began. */
  const attempted = new Set<number>()
  const areAttempted = (): boolean => awaited.every((id) => attempted.has(id))

  async function check(): Promise<boolean> {
    attempted.clear()
    awaited = await deliveries.listUnsettled(store.db, account, store.time().now)
    if (awaited.length === 0) return true
    // If all were attempted during the read, no event will cause another check.
    return areAttempted() ? check() : false
  }

  return {
    check,
    match(event: RecordedEvent): boolean {
      if (!concerns(event) || event.type === 'delivery.queued') return false
      if (event.type !== 'delivery.attempted') return true
      attempted.add(event.deliveryId)
      return areAttempted()
    },
  }
}

/** `pending` counts deliveries that wait for another attempt. `stored` is a part of `delivered`. */
type SettledCounts = Readonly<
  Record<'deliveries' | 'delivered' | 'stored' | 'failed' | 'held' | 'pending', number>
>

async function countDeliveries(store: Store, account: string | undefined): Promise<SettledCounts> {
  const states = await deliveries.countByState(store.db, account)
  const countOf = (state: Delivery['state']): number => states.get(state) ?? 0
  return {
    deliveries: [...states.values()].reduce((sum, number) => sum + number, 0),
    delivered: countOf('delivered') + countOf('stored'),
    stored: countOf('stored'),
    failed: countOf('failed'),
    held: countOf('held'),
    pending: countOf('pending'),
  }
}
