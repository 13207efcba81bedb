import { sql, type Kysely, type Selectable } from 'kysely'
import {
  evaluateFault,
  isFaultFor,
  type Fault,
  type FaultMark,
  type FaultCandidate,
} from '../../domain/faults/fault.ts'
import { parseEffect, type EffectByPoint } from '../../domain/faults/fault-effect.ts'
import * as meta from '../meta.ts'
import { cached } from '../sqlite/read-cache.ts'
import type { Database, FaultTable } from '../schema.ts'

export type NewFault = Omit<Fault, 'id' | 'matched' | 'triggered'>

export async function insert(db: Kysely<Database>, draft: NewFault): Promise<Fault> {
  const row = await db
    .insertInto('fault')
    .values({ ...draft, script: JSON.stringify(draft.script), id: NEXT_ID, matched: 0, triggered: 0 })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toFault(row)
}

/** The faults there are, or those of one account, oldest first. */
export async function list(db: Kysely<Database>, accountId?: string): Promise<Fault[]> {
  const query = db.selectFrom('fault').selectAll().orderBy('id')
  const rows = await (accountId === undefined ? query : query.where('accountId', '=', accountId)).execute()
  return rows.map(toFault)
}

export async function find(db: Kysely<Database>, id: number): Promise<Fault | undefined> {
  const row = await db.selectFrom('fault').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toFault(row)
}

/** Takes a fault away. Its id is not given again, as the journal tells by it what the fault did. */
export async function remove(db: Kysely<Database>, id: number): Promise<void> {
  const newest = Number((await meta.read(db, 'faults')) ?? 0)
  if (id > newest) await meta.write(db, 'faults', String(id))
  await db.deleteFrom('fault').where('id', '=', id).execute()
}

export async function removeOf(db: Kysely<Database>, accountId: string): Promise<void> {
  for (const { id } of await list(db, accountId)) await remove(db, id)
}

/** What a fault does to an occasion, and what has become of the faults that were asked. */
export interface Strike<On extends Fault['on']> {
  readonly asked: readonly Fault[]
  /** `undefined` where nothing goes wrong. */
  readonly effect: EffectByPoint[On] | undefined
  readonly mark: FaultMark | undefined
}

/**
 * Asks the faults that are meant for an occasion, the oldest first, until one strikes. Nothing is changed before the
 * strike is kept, so a call that is taken back can keep it afterwards.
 */
export async function previewFault<On extends Fault['on']>(
  db: Kysely<Database>,
  occasion: FaultCandidate & { readonly on: On },
): Promise<Strike<On>> {
  const asked: Fault[] = []
  for (const known of await faultsFor(db, occasion.on, occasion.accountId)) {
    if (!isFaultFor(known, occasion)) continue
    const { fault, effect } = evaluateFault(known)
    if (fault !== known) asked.push(fault)
    if (effect === null) continue
    const read = parseEffect(occasion.on, effect)
    if (read === undefined || read.kind === 'pass') break
    return { asked, effect: read, mark: { id: fault.id, effect } }
  }
  return { asked, effect: undefined, mark: undefined }
}

/** Nearly always none, and asked for with every call and every attempt. */
const faultsFor = cached(async (db, on: Fault['on'], accountId: string | null): Promise<readonly Fault[]> => {
  const rows = await db
    .selectFrom('fault')
    .selectAll()
    .where('on', '=', on)
    .where((where) => where.or([where('accountId', 'is', null), where('accountId', '=', accountId)]))
    .orderBy('id')
    .execute()
  return rows.map(toFault)
})

/** Remembers what became of the faults that were asked. */
export async function saveStrikes(
  db: Kysely<Database>,
  { asked }: Pick<Strike<Fault['on']>, 'asked'>,
): Promise<void> {
  for (const { id, matched, triggered } of asked) {
    await db.updateTable('fault').set({ matched, triggered }).where('id', '=', id).execute()
  }
}

/** Takes a strike back that came to nothing. */
export async function refundStrike(db: Kysely<Database>, { id }: FaultMark): Promise<void> {
  if (id === null) return
  await db
    .updateTable('fault')
    .set(({ eb }) => ({ triggered: eb('triggered', '-', 1) }))
    .where('id', '=', id)
    .where('triggered', '>', 0)
    .execute()
}

/** Has an occasion struck, where a fault is meant for it. */
export async function applyFault<On extends Fault['on']>(
  db: Kysely<Database>,
  occasion: FaultCandidate & { readonly on: On },
): Promise<Strike<On>> {
  const struck = await previewFault(db, occasion)
  await saveStrikes(db, struck)
  return struck
}

const NEXT_ID = sql<number>`1 + max(
  coalesce((select max("id") from "fault"), 0),
  coalesce((select cast("value" as integer) from "meta" where "key" = 'faults'), 0)
)`

const toFault = (row: Selectable<FaultTable>): Fault => ({
  ...row,
  script: JSON.parse(row.script) as string[],
})
