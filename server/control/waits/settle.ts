import type { Delivery } from '../../domain/webhooks/delivery.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import type { Store } from '../../store/store.ts'
import { watch } from './watch.ts'

interface Settling {
  /** The account whose deliveries count, or all. */
  readonly account?: string | undefined
  readonly timeoutMs: number
}

/** Waits until nothing is due and nothing underway, and tells what has become of the deliveries there are. */
export async function settle(store: Store, { account, timeoutMs }: Settling, signal: AbortSignal) {
  const watching = watch(store, { account, timeoutMs }, signal)
  try {
    for (;;) {
      const { now } = store.time()
      const isSettled = !(await deliveries.isAnyUnsettled(store.db, account, now))
      if (isSettled) return { counts: await count() }
      if (!watching.isOver()) {
        await watching.wait()
        continue
      }
      const unsettled = await deliveries.unsettled(store.db, account, now)
      if (unsettled.count > 0) return { unsettled }
    }
  } finally {
    watching.stop()
  }

  async function count(): Promise<
    Record<'deliveries' | 'delivered' | 'failed' | 'held' | 'pending', number>
  > {
    const states = await deliveries.countByState(store.db, account)
    const of = (state: Delivery['state']): number => states.get(state) ?? 0
    return {
      deliveries: [...states.values()].reduce((sum, number) => sum + number, 0),
      delivered: of('delivered'),
      failed: of('failed'),
      held: of('held'),
      /** Until a later attempt. */
      pending: of('pending'),
    }
  }
}
