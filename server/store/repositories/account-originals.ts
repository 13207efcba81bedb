import type { Kysely } from 'kysely'
import type { Account } from '../../domain/accounts/account.ts'
import type { TaxInvoice } from '../../domain/accounts/tax-invoice.ts'
import { toAccount, toRow } from './accounts.ts'
import type { AccountTable, Database } from '../schema.ts'

/** An account as it was when it was made, with the invoices it came with. */
export interface AccountOriginal {
  readonly account: Account
  readonly invoices: readonly TaxInvoice[]
}

/** Notes it, in place of what was noted of the account before. */
export async function save(db: Kysely<Database>, { account, invoices }: AccountOriginal): Promise<void> {
  const row = { account: JSON.stringify(toRow(account)), invoices: JSON.stringify(invoices) }
  await db
    .insertInto('beginning')
    .values({ accountId: account.id, ...row })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute()
}

export async function find(db: Kysely<Database>, accountId: string): Promise<AccountOriginal> {
  const { account, invoices } = await db
    .selectFrom('beginning')
    .selectAll()
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return {
    account: toAccount(JSON.parse(account) as AccountTable),
    invoices: JSON.parse(invoices) as TaxInvoice[],
  }
}

export async function remove(db: Kysely<Database>, accountId: string): Promise<void> {
  await db.deleteFrom('beginning').where('accountId', '=', accountId).execute()
}
