import { isSettled, type Delivery } from '../domain/delivery.ts'
import { createBell } from '../store/bell.ts'
import * as deliveries from '../store/deliveries.ts'
import type { Store } from '../store/store.ts'

/**
 * Waits until nothing more will happen to some deliveries by itself, and gives them as they are then.
 *
 * Listening starts before the first look, so an attempt that ends in between is not missed. After a reset
 * they are gone, and what is left of them is the answer.
 */
export async function settled(
  store: Store,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<Delivery[]> {
  const wanted = new Set(ids)
  const bell = createBell()
  const unsubscribe = store.feed.subscribe((recorded) => {
    const concerns = recorded.some(
      (event) => event.type === 'sandbox.reset' || ('deliveryId' in event && wanted.has(event.deliveryId)),
    )
    if (concerns) bell.ring()
  })
  signal.addEventListener('abort', bell.ring)

  try {
    for (;;) {
      const now = await deliveries.listOf(store.db, ids)
      if (now.every(isSettled) || signal.aborted) return now
      await bell.wait()
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', bell.ring)
  }
}
