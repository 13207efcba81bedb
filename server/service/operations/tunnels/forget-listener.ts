import { noSubject } from '../../../domain/links/subject.ts'
import { MAX_AWAY_MS } from '../../../domain/network/tunnel.ts'
import * as listeners from '../../../store/repositories/listeners.ts'
import type { UnitOfWork } from '../../../store/store.ts'

/** Removes a listener with its pending requests. Returns whether there was such a listener. */
export async function forgetListener(
  work: UnitOfWork,
  key: listeners.ListenerKey,
  reason = 'by request',
): Promise<boolean> {
  if (!(await listeners.find(work.db, key))) return false
  await listeners.remove(work.db, key)
  await work.record({
    type: 'listener.forgotten',
    ...noSubject,
    tunnel: key.tunnel,
    listener: key.id,
    reason,
  })
  return true
}

/** Removes listeners that have been disconnected for too long, by the system's time. */
export async function forgetExpiredListeners(work: UnitOfWork): Promise<void> {
  const since = new Date(work.systemNow - MAX_AWAY_MS).toISOString()
  for (const listener of await listeners.listDisconnectedBefore(work.db, since)) {
    await forgetListener(work, listener, 'disconnected for more than a day')
  }
}
