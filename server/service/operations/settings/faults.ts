import { remainingUses, type Fault } from '../../../domain/faults/fault.ts'
import { accountSubject, noSubject } from '../../../domain/links/subject.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import * as faults from '../../../store/repositories/faults.ts'
import type { UnitOfWork } from '../../../store/store.ts'

/** Limited, because each call and each webhook evaluates all faults. */
const MAX_FAULTS = 200

/** Adds a fault, which applies from now on. */
export async function addFault(
  work: UnitOfWork,
  draft: Omit<faults.FaultInput, 'createdAt'>,
): Promise<Fault> {
  await evictFinishedFault(work)
  const fault = await faults.insert(work.db, { ...draft, createdAt: work.now })
  await work.record({ type: 'fault.added', ...describeFault(fault) })
  return fault
}

/** If there are too many faults, removes one that no longer applies. */
async function evictFinishedFault(work: UnitOfWork): Promise<void> {
  const all = await faults.list(work.db)
  if (all.length < MAX_FAULTS) return
  const usedUp = all.find((fault) => remainingUses(fault) === 0)
  if (!usedUp) throw apiError('tooManyFaults', MAX_FAULTS)
  await removeFault(work, usedUp)
}

export async function removeFault(work: UnitOfWork, fault: Fault): Promise<void> {
  await faults.remove(work.db, fault.id)
  await work.record({ type: 'fault.removed', ...describeFault(fault) })
}

const describeFault = ({ id, accountId, on, script }: Fault) => ({
  ...(accountId === null ? noSubject : accountSubject(accountId)),
  faultId: id,
  on,
  script,
})
