import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { WaitMode } from '../../contract/schemas/request-fields.ts'
import { awaitSettled, type QueuedDeliveries } from '../../store/await-settled.ts'
import type { Store } from '../../store/store.ts'

/** Returns the deliveries at once, or in mode `settled` once they have settled. */
export const awaitDeliveries = async (
  store: Store,
  queued: QueuedDeliveries,
  mode: WaitMode,
  signal: AbortSignal,
): Promise<readonly Delivery[]> =>
  mode === 'settled' ? awaitSettled(store, queued, signal) : queued.deliveries
