import type { EventOf } from '../../../domain/events/event.ts'
import type { Exchange } from '../../../domain/http/exchange.ts'
import { fetchedDelivery } from '../../../domain/webhooks/delivery.ts'
import * as capturedRequests from '../../../store/repositories/captured-requests.ts'
import * as epoch from '../../../store/journal/epoch.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import * as pendingRequests from '../../../store/repositories/pending-requests.ts'
import { updateStored } from '../webhooks/update-stored.ts'

interface TunnelAnswered extends Pick<
  EventOf<'tunnel.answered'>,
  'listener' | 'first' | 'status' | 'error' | 'ms' | 'possibleDuplicate'
> {
  /** The epoch of the journal that `seq` belongs to. */
  readonly epoch: string
  readonly seq: number
}

/**
 * Records the response of a listener or of the sandbox to a captured request, and removes the request from the listener's queue.
 * If the request no longer exists, the response is dropped.
 */
export async function recordAnswer(
  work: UnitOfWork,
  { epoch: capturedIn, seq, ...answered }: TunnelAnswered,
  exchangeOf: (captured: capturedRequests.CapturedRequest) => Exchange,
): Promise<void> {
  if (capturedIn !== (await epoch.current(work.db))) return
  const captured = await capturedRequests.find(work.db, seq)
  if (!captured) return
  const { tunnel, capturedDeliveryId, method, path, accountId, linkId, payId } = captured.event
  if (answered.listener !== null)
    await pendingRequests.remove(work.db, { tunnel, id: answered.listener }, seq)
  const about = { accountId, linkId, payId, tunnel, capturedDeliveryId, eventSeq: seq, method, path }
  await work.record({ type: 'tunnel.answered', ...about, ...answered }, exchangeOf(captured))
  const fetched = fetchedDelivery({ ...about, ...answered })
  if (fetched !== undefined) await updateStored(work, fetched)
}
