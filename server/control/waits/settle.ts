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
    match: concernsAccount(account),
    check: async () => !(await deliveries.isAnyUnsettled(store.db, account, store.time().now)),
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
