import { awaitSettled, type QueuedDeliveries } from '../../store/await-settled.ts'
import { readAfterCommit, waitWhileUsable } from '../../store/read-after-commit.ts'
import type { Store } from '../../store/store.ts'
import type { WaitMode } from '../../contract/schemas/request-fields.ts'
import type { DeliveryView } from '../../contract/views.ts'
import { presentDeliveries } from '../present-deliveries.ts'

/** Queued deliveries, and how to present them. */
interface PresentedDeliveries {
  readonly queued: QueuedDeliveries
  readonly views: readonly DeliveryView[]
}

interface WaitOptions {
  readonly baseUrl: string
  readonly signal: AbortSignal
  /** What to wait for before the deliveries. */
  readonly before?: ((signal: AbortSignal) => Promise<void>) | undefined
}

/** Presents deliveries at once, or in mode `settled` when they have settled. */
export async function presentInMode(
  store: Store,
  { queued, views }: PresentedDeliveries,
  mode: WaitMode,
  { baseUrl, signal, before }: WaitOptions,
): Promise<readonly DeliveryView[]> {
  if (mode !== 'settled') return views
  return readAfterCommit(views, async () => {
    const settled = await waitWhileUsable(store, signal, async (until) => {
      await before?.(until)
      return awaitSettled(store, queued, until)
    })
    return presentDeliveries(store.db, settled, baseUrl)
  })
}
