import type { Kysely } from 'kysely'
import type { TaxInvoice } from '../domain/invoice.ts'
import type { Database } from './schema.ts'

export async function insert(db: Kysely<Database>, invoices: readonly TaxInvoice[]): Promise<void> {
  if (invoices.length > 0) await db.insertInto('invoice').values(invoices).execute()
}

/** Invoices, newest month first. */
export function list(db: Kysely<Database>, accountId: string | undefined): Promise<TaxInvoice[]> {
  let query = db.selectFrom('invoice').selectAll()
  if (accountId !== undefined) query = query.where('accountId', '=', accountId)
  return query.orderBy('serviceMonth', 'desc').orderBy('sfId').execute()
}

export async function removeOf(db: Kysely<Database>, accountId: string): Promise<void> {
  await db.deleteFrom('invoice').where('accountId', '=', accountId).execute()
}
