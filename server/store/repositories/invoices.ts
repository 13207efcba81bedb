import { sql, type Kysely } from 'kysely'
import { sharedIdRange, type IdRange } from '../../domain/links/id-range.ts'
import type { TaxInvoice } from '../../domain/accounts/tax-invoice.ts'
import type { Database } from '../schema.ts'

/** SQLite limits the number of values in one statement. */
const MAX_ROWS_PER_STATEMENT = 1_000

export async function insert(db: Kysely<Database>, invoices: readonly TaxInvoice[]): Promise<void> {
  for (let from = 0; from < invoices.length; from += MAX_ROWS_PER_STATEMENT) {
    await db
      .insertInto('invoice')
      .values(invoices.slice(from, from + MAX_ROWS_PER_STATEMENT))
      .execute()
  }
}

export async function exists(
  db: Kysely<Database>,
  accountId: string,
  serviceMonth: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('invoice')
    .select('sfId')
    .where('accountId', '=', accountId)
    .where('serviceMonth', '=', serviceMonth)
    .executeTakeFirst()
  return row !== undefined
}

const FIRST_ID = 501

/**
 * The id of the next invoice: one more than the highest id in the account's range. Accounts without their own range share one.
 */
export async function nextInvoiceNumber(
  db: Kysely<Database>,
  { first, last }: Pick<IdRange, 'first' | 'last'> = { first: FIRST_ID, last: sharedIdRange.last },
): Promise<string> {
  const number = sql<number>`cast("sfId" as bigint)`
  const { newest } = await db
    .selectFrom('invoice')
    .select(sql<number | null>`max(${number})`.as('newest'))
    .where(number, '>=', first)
    .where(number, '<=', last)
    .executeTakeFirstOrThrow()
  return String(newest === null ? first : newest + 1)
}

/** All invoices, or those of one account, newest month first. */
export const list = (db: Kysely<Database>, accountId: string | undefined): Promise<TaxInvoice[]> =>
  newestFirst(db, accountId).execute()

export interface InvoiceQuery {
  readonly accountId?: string
  /** Only invoices that come after this one in the list, for the next page. */
  readonly after?: Pick<TaxInvoice, 'serviceMonth' | 'sfId'>
}

/** One page of the invoices that `list` returns. */
export function listPage(
  db: Kysely<Database>,
  { accountId, after }: InvoiceQuery,
  limit: number,
): Promise<TaxInvoice[]> {
  let query = newestFirst(db, accountId).limit(limit)
  if (after) {
    const { serviceMonth, sfId } = after
    query = query
      .where('serviceMonth', '<=', serviceMonth)
      .where((where) => where.or([where('serviceMonth', '<', serviceMonth), where('sfId', '<', sfId)]))
  }
  return query.execute()
}

export const find = (db: Kysely<Database>, sfId: string): Promise<TaxInvoice | undefined> =>
  db.selectFrom('invoice').selectAll().where('sfId', '=', sfId).executeTakeFirst()

function newestFirst(db: Kysely<Database>, accountId: string | undefined) {
  const query = db.selectFrom('invoice').selectAll().orderBy('serviceMonth', 'desc').orderBy('sfId', 'desc')
  return accountId === undefined ? query : query.where('accountId', '=', accountId)
}

export async function removeForAccount(db: Kysely<Database>, accountId: string): Promise<void> {
  await db.deleteFrom('invoice').where('accountId', '=', accountId).execute()
}
