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

export interface RefundQuery {
  readonly accountId?: string
  /** Only refunds of payments with a smaller `payId`, for the next page. */
  readonly before?: number
}

/** Refunds, newest payment first. */
export async function list(
  db: Kysely<Database>,
  { accountId, before }: RefundQuery,
  limit: number,
): Promise<Refund[]> {
  let query = db.selectFrom('refund').selectAll()
  if (accountId !== undefined) query = query.where('accountId', '=', accountId)
  if (before !== undefined) query = query.where('payId', '<', before)
  const rows = await query.orderBy('payId', 'desc').limit(limit).execute()
  return rows.map(fromRow)
}

export async function removeForLinks(db: Kysely<Database>, linkIds: readonly number[]): Promise<void> {
  await db.deleteFrom('refund').where('linkId', 'in', linkIds).execute()
}

const { toRow, fromRow } = createRowCodec<Refund>({ full: 'boolean' })
