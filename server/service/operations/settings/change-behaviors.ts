import type { BehaviorName } from '../../../domain/behaviors/open-points.ts'
import { accountSubject, noSubject } from '../../../domain/links/subject.ts'
import * as behaviors from '../../../store/repositories/behaviors.ts'
import type { UnitOfWork } from '../../../store/store.ts'

/** Sets behaviors for one account, or for the whole sandbox. `null` removes a setting. */
export async function changeBehaviors(
  work: UnitOfWork,
  accountId: string | undefined,
  changes: Readonly<Partial<Record<BehaviorName, string | null>>>,
): Promise<void> {
  const scope = accountId ?? behaviors.SANDBOX_SCOPE
  const entries = Object.entries(changes) as [BehaviorName, string | null][]
  const removed = entries.filter(([, value]) => value === null).map(([name]) => name)
  const chosen = entries.filter((entry): entry is [BehaviorName, string] => entry[1] !== null)

  await behaviors.remove(work.db, scope, removed)
  await behaviors.save(work.db, scope, Object.fromEntries(chosen))
  await work.record({
    type: 'behaviors.changed',
    ...(accountId === undefined ? noSubject : accountSubject(accountId)),
    values: Object.fromEntries(entries.map(([name, value]) => [name, value ?? 'default'])),
  })
}
