import type { Kysely } from 'kysely'
import type { Refund } from '../../domain/links/refund.ts'
import { prepared, preparedInsert, preparedWrite } from '../prepared.ts'
import { createRowCodec } from '../row-codec.ts'
import type { Database } from '../schema.ts'

export const insert = (db: Kysely<Database>, refund: Refund): Promise<void> => insertRow(db, toRow(refund))

const insertRow = preparedInsert('refund')

export const save = (db: Kysely<Database>, { payId, state, decidedAt }: Refund): Promise<void> =>
  update(db, { payId, state, decidedAt })

const update = preparedWrite((db, { payId, ...changes }: Pick<Refund, 'payId' | 'state' | 'decidedAt'>) =>
  db.updateTable('refund').set(changes).where('payId', '=', payId),
)

export async function find(db: Kysely<Database>, payId: number): Promise<Refund | undefined> {
  const row = (await byPayId(db, { payId })).rows[0]
  return row && fromRow(row)
}

const byPayId = prepared((db, { payId }: { payId: number }) =>
  db.selectFrom('refund').selectAll().where('payId', '=', payId),
)

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
