import type { Kysely } from 'kysely'
import type { Refund } from '../../domain/links/refund.ts'
import { createRowCodec } from '../row-codec.ts'
import type { Database } from '../schema.ts'

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
  return (await query.orderBy('payId', 'desc').execute()).map(fromRow)
}

export async function removeForAccount(db: Kysely<Database>, accountId: string): Promise<void> {
  await db.deleteFrom('refund').where('accountId', '=', accountId).execute()
}

const { toRow, fromRow } = createRowCodec<Refund>({ full: 'boolean' })
