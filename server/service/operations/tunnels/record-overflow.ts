import { noSubject } from '../../../domain/links/subject.ts'
import * as listeners from '../../../store/repositories/listeners.ts'
import type { UnitOfWork } from '../../../store/store.ts'

interface MissedRequests extends listeners.ListenerKey {
  readonly count: number
}

/** Records that requests were removed before these listeners got them. Each listener learns how many when it connects again. */
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
