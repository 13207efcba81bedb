import { noSubject } from '../../../domain/links/subject.ts'
import type { ConnectingListener, Listener } from '../../../domain/network/tunnel.ts'
import * as listeners from '../../../store/repositories/listeners.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import * as pendingRequests from '../../../store/repositories/pending-requests.ts'
import { forgetExpiredListeners } from './forget-listener.ts'

export type ConnectedListener = Pick<Listener, 'tunnel' | 'id' | 'to' | 'connections' | 'connectedAt'>

/** What a listener receives when it connects. */
export interface Greeting {
  readonly connected: ConnectedListener
  /** Whether this listener is new to the sandbox, or was forgotten. */
  readonly isNew: boolean
  readonly waiting: number
  readonly dropped: number
  /** The `seq` of the newest event. */
  readonly newest: number
}

/** Registers the connection of a listener, new or known. */
export async function connectListener(
  work: UnitOfWork,
  { tunnel, id, to, since }: Omit<ConnectingListener, 'instance'>,
): Promise<Greeting> {
  const { db, record } = work
  await forgetExpiredListeners(work)
  const listener = await listeners.find(db, { tunnel, id })
  const connections = (listener?.connections ?? 0) + 1
  const connected: ConnectedListener = { tunnel, id, to, connections, connectedAt: systemTime(work) }
  await listeners.save(db, { ...connected, dropped: 0, awaySince: null })
  if (since !== undefined) await pendingRequests.addSince(db, { tunnel, id }, since, connections)
  const count = await pendingRequests.countFor(db, { tunnel, id })
  const newest = await record({
    type: 'listener.connected',
    ...noSubject,
    tunnel,
    listener: id,
    to,
    waiting: count,
  })
  return { connected, isNew: listener === undefined, waiting: count, dropped: listener?.dropped ?? 0, newest }
}

/** Records that a connection has ended. If a newer connection has replaced it, the listener stays connected. */
export async function disconnectListener(
  work: UnitOfWork,
  { tunnel, id, connections }: Pick<Listener, 'tunnel' | 'id' | 'connections'>,
  reason: string,
  isEnded = false,
): Promise<void> {
  const listener = await listeners.find(work.db, { tunnel, id })
  if (listener?.connections !== connections || listener.awaySince !== null) return
  await listeners.save(work.db, { ...listener, awaySince: systemTime(work) })
  await work.record({ type: 'listener.lost', ...noSubject, tunnel, listener: id, reason, isEnded })
}

/** Marks all other listeners as disconnected, after the sandbox starts, or after a reset or a restore. */
export async function disconnectAllExcept(
  work: UnitOfWork,
  connected: readonly ConnectedListener[],
  reason: string,
): Promise<void> {
  for (const listener of await listeners.list(work.db)) {
    const isConnected = connected.some(({ tunnel, id }) => tunnel === listener.tunnel && id === listener.id)
    if (!isConnected) await disconnectListener(work, listener, reason)
  }
  for (const one of connected) {
    const listener = await listeners.find(work.db, one)
    await listeners.save(work.db, { ...one, dropped: listener?.dropped ?? 0, awaySince: null })
  }
}

/** Connections use the system's time, not the sandbox's clock. */
const systemTime = ({ systemNow }: UnitOfWork): string => new Date(systemNow).toISOString()
