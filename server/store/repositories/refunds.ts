import type { Kysely } from 'kysely'
import type { Refund } from '../../domain/links/refund.ts'
import { createTurns } from '../../platform/system/turns.ts'
import { createRowCodec } from '../row-codec.ts'
import type { Database } from '../schema.ts'

/** Small enough that reading a page does not block other work. */
const PAGE = 500

export async function insert(db: Kysely<Database>, refund: Refund): Promise<void> {
  await db.insertInto('refund').values(toRow(refund)).execute()
}

export async function save(db: Kysely<Database>, { payId, state, decidedAt }: Refund): Promise<void> {
  await db.updateTable('refund').set({ state, decidedAt }).where('payId', '=', payId).execute()
}

export async function find(db: Kysely<Database>, payId: number): Promise<Refund | undefined> {
  const row = await db.selectFrom('refund').selectAll().where('payId', '=', payId).executeTakeFirst()
  return row && fromRow(row)
}

/** All refunds, or those of one account, newest payment first. */
export async function list(db: Kysely<Database>, accountId: string | undefined): Promise<Refund[]> {
  let query = db.selectFrom('refund').selectAll()
  if (accountId !== undefined) query = query.where('accountId', '=', accountId)
  const letOthersRun = createTurns()
  const all: Refund[] = []
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const page = await query.where('payId', '<', before).orderBy('payId', 'desc').limit(PAGE).execute()
    for (const row of page) all.push(fromRow(row))
    if (page.length < PAGE) return all
    before = page.at(-1)!.payId
    await letOthersRun()
  }
}

export async function removeForLinks(db: Kysely<Database>, linkIds: readonly number[]): Promise<void> {
  await db.deleteFrom('refund').where('linkId', 'in', linkIds).execute()
}

const { toRow, fromRow } = createRowCodec<Refund>({ full: 'boolean' })
