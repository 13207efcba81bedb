import type { Kysely } from 'kysely'
import {
  evaluateFault,
  isFaultFor,
  type Fault,
  type FaultMark,
  type FaultCandidate,
} from '../../domain/faults/fault.ts'
import { parseEffect, type EffectByPoint } from '../../domain/faults/fault-effect.ts'
import * as meta from '../meta.ts'
import { readNewestId } from '../next-id.ts'
import { LIMIT_ONE } from '../prepared.ts'
import { cached, changed } from '../writer-state.ts'
import { createRowCodec } from '../row-codec.ts'
import type { Database } from '../schema.ts'

export type FaultInput = Omit<Fault, 'id' | 'matched' | 'triggered'>

export async function insert(db: Kysely<Database>, fault: FaultInput): Promise<Fault> {
  const id = 1 + (await readNewestId(db, 'fault', 'lastDeletedFault'))
  const row = toRow({ ...fault, id, matched: 0, triggered: 0 })
  changed(db, 'fault')
  await db.insertInto('fault').values(row).execute()
  return fromRow(row)
}

/** All faults, or those of one account, oldest first. */
export async function list(db: Kysely<Database>, accountId?: string): Promise<Fault[]> {
  const query = db.selectFrom('fault').selectAll().orderBy('id')
  const rows = await (accountId === undefined ? query : query.where('accountId', '=', accountId)).execute()
  return rows.map(fromRow)
}

export async function find(db: Kysely<Database>, id: number): Promise<Fault | undefined> {
  const row = await db.selectFrom('fault').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** Removes a fault. Its id is not used again, because events refer to faults by id. */
export async function remove(db: Kysely<Database>, id: number): Promise<void> {
  if (id > (await meta.readNumber(db, 'lastDeletedFault'))) {
    await meta.write(db, 'lastDeletedFault', String(id))
  }
  changed(db, 'fault')
  await db.deleteFrom('fault').where('id', '=', id).execute()
}

export async function removeForAccount(db: Kysely<Database>, accountId: string): Promise<void> {
  for (const { id } of await list(db, accountId)) await remove(db, id)
}

/** The effect of the faults on one call, attempt or redirect. */
export interface FaultEvaluation<On extends Fault['on']> {
  /** The evaluated faults, with their new counters. */
  readonly matched: readonly Fault[]
  /** `undefined` if no fault applies. */
  readonly effect: EffectByPoint[On] | undefined
  readonly mark: FaultMark | undefined
}

/**
 * Evaluates the faults for a candidate, oldest first, until one applies. Changes nothing. `saveFaultCounts` saves the counters,
 * because a rejected call first rolls back its unit of work and then saves them.
 */
export async function previewFault<On extends Fault['on']>(
  db: Kysely<Database>,
  candidate: FaultCandidate & { readonly on: On },
): Promise<FaultEvaluation<On>> {
  const matched: Fault[] = []
  for (const known of await faultsFor(db, candidate.on, candidate.accountId)) {
    if (!isFaultFor(known, candidate)) continue
    const { fault, effect } = evaluateFault(known)
    if (fault !== known) matched.push(fault)
    if (effect === null) continue
    const read = parseEffect(candidate.on, effect)
    if (read === undefined || read.kind === 'pass') break
    return { matched, effect: read, mark: { id: fault.id, effect } }
  }
  return { matched, effect: undefined, mark: undefined }
}

/** Cached, because every call and every attempt reads the faults, and usually there are none. */
const faultsFor = cached(
  'fault',
  async (db, on: Fault['on'], accountId: string | null): Promise<readonly Fault[]> => {
    const rows = await db
      .selectFrom('fault')
      .selectAll()
      .where('on', '=', on)
      .where((where) => where.or([where('accountId', 'is', null), where('accountId', '=', accountId)]))
      .orderBy('id')
      .execute()
    return rows.map(fromRow)
  },
)

/** Whether there is any fault of a kind, even one that no longer applies. */
export const isAnyOn = cached('fault', async (db, on: Fault['on']): Promise<boolean> => {
  const query = db.selectFrom('fault').select('id').where('on', '=', on)
  return (await query.limit(LIMIT_ONE).executeTakeFirst()) !== undefined
})

/** Saves the counters of evaluated faults. */
export async function saveFaultCounts(
  db: Kysely<Database>,
  { matched: faults }: Pick<FaultEvaluation<Fault['on']>, 'matched'>,
): Promise<void> {
  for (const { id, matched, triggered } of faults) {
    changed(db, 'fault')
    await db.updateTable('fault').set({ matched, triggered }).where('id', '=', id).execute()
  }
}

/** Gives back one use of a fault, because nothing was sent. */
export async function undoFaultUse(db: Kysely<Database>, { id }: FaultMark): Promise<void> {
  if (id === null) return
  changed(db, 'fault')
  await db
    .updateTable('fault')
    .set(({ eb }) => ({ triggered: eb('triggered', '-', 1) }))
    .where('id', '=', id)
    .where('triggered', '>', 0)
    .execute()
}

/** Evaluates the faults for a candidate, and saves their counters. */
export async function applyFault<On extends Fault['on']>(
  db: Kysely<Database>,
  candidate: FaultCandidate & { readonly on: On },
): Promise<FaultEvaluation<On>> {
  const evaluation = await previewFault(db, candidate)
  await saveFaultCounts(db, evaluation)
  return evaluation
}

const { toRow, fromRow } = createRowCodec<Fault>({ script: 'json' })
