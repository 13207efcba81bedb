import { noSubject } from '../../domain/links/subject.ts'
import * as listeners from '../../store/repositories/listeners.ts'
import type { UnitOfWork } from '../../store/store.ts'

interface MissedRequests extends listeners.ListenerKey {
  readonly count: number
}

/** Requests go before listeners that they wait for had them. Told now to the journal, and to each when it comes back. */
export async function recordOverflow(
  { db, record }: UnitOfWork,
  missing: readonly MissedRequests[],
): Promise<void> {
  for (const { tunnel, id, count } of missing) {
    const listener = await listeners.find(db, { tunnel, id })
    if (!listener) continue
    await listeners.save(db, { ...listener, dropped: listener.dropped + count })
    await record({ type: 'listener.overflowed', ...noSubject, tunnel, listener: id, count })
  }
}
