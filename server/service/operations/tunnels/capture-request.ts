import { linkSubject, noSubject } from '../../../domain/links/subject.ts'
import type { EventOf } from '../../../domain/events/event.ts'
import { textBody, type Exchange } from '../../../domain/http/exchange.ts'
import type { Delivery } from '../../../domain/webhooks/delivery.ts'
import { stripTunnelPrefix, type TunnelAnswer } from '../../../domain/network/tunnel.ts'
import * as capturedRequests from '../../../store/repositories/captured-requests.ts'
import * as epoch from '../../../store/journal/epoch.ts'
import * as listeners from '../../../store/repositories/listeners.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import * as tunnels from '../../../store/repositories/tunnels.ts'
import * as pendingRequests from '../../../store/repositories/pending-requests.ts'
import { forgetExpiredListeners } from './forget-listener.ts'
import type { ConnectedListener } from './connect-listener.ts'
import { recordOverflow } from './record-overflow.ts'

interface IncomingRequest {
  readonly tunnel: string
  readonly path: string
  readonly request: Exchange['request']
  /** The delivery, if the request is a webhook of this sandbox. */
  readonly delivery: Delivery | undefined
}

/** A stored request, and how the tunnel responds to it. */
export interface TunnelCapture {
  readonly epoch: string
  readonly seq: number
  readonly event: EventOf<'tunnel.captured'>
  readonly answer: TunnelAnswer
}

/**
 * Stores a request, and queues it for every known listener. If no listener is connected, the tunnel responds at once. After a
 * reset, the rows of connected listeners are missing, so they are added again.
 */
export async function captureRequest(
  work: UnitOfWork,
  { tunnel, path, request, delivery }: IncomingRequest,
  connected: readonly ConnectedListener[],
): Promise<TunnelCapture> {
  const { db } = work
  await forgetExpiredListeners(work)
  for (const one of connected) {
    if (!(await listeners.find(db, one))) await listeners.save(db, { ...one, dropped: 0, awaySince: null })
  }
  const answer = await tunnels.findAnswer(db, tunnel)
  const { status, headers, body } = answer
  const event: EventOf<'tunnel.captured'> = {
    type: 'tunnel.captured',
    ...(delivery
      ? linkSubject({ accountId: delivery.accountId, id: delivery.linkId, payId: delivery.payId })
      : noSubject),
    tunnel,
    capturedDeliveryId: delivery?.id ?? null,
    method: request.method,
    path,
    status: connected.length === 0 ? status : null,
    size: request.body.size,
  }
  const response = connected.length === 0 ? { status, headers, body: textBody(body) } : null
  const seq = await work.record(event, { request, response })
  const ownPath = stripTunnelPrefix(tunnel, path).split('?', 1)[0]!
  await capturedRequests.insert(db, { seq, tunnel, path: ownPath, size: request.body.size })
  for (const listener of await listeners.list(db, [tunnel])) {
    const isConnected = connected.some(({ id }) => id === listener.id)
    const connection = listener.connections + (isConnected ? 0 : 1)
    await pendingRequests.add(db, { tunnel, listener: listener.id, seq, connection })
  }
  await evictOldest(work, tunnel)
  return { epoch: (await epoch.current(db)) ?? '', seq, event, answer }
}

/** Deletes the oldest requests beyond the limit, and records which listeners have missed some. */
async function evictOldest(work: UnitOfWork, tunnel: string): Promise<void> {
  const { db } = work
  const last = await capturedRequests.newestSeqToDelete(db, tunnel)
  if (last === undefined) return
  await recordOverflow(work, await pendingRequests.countsUpTo(db, tunnel, last))
  await capturedRequests.removeUpTo(db, tunnel, last)
}
