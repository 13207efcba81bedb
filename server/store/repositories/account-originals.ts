import type { Kysely } from 'kysely'
import type { Account } from '../../domain/accounts/account.ts'
import type { TaxInvoice } from '../../domain/accounts/tax-invoice.ts'
import { fromRow, toRow } from './accounts.ts'
import type { Database } from '../schema.ts'

/** An account as it was created, with the invoices from its seed. A reset of the account restores this state. */
interface AccountOriginal {
  readonly account: Account
  readonly invoices: readonly TaxInvoice[]
}

/** Saves the original of an account, and replaces an earlier one. */
export async function save(db: Kysely<Database>, { account, invoices }: AccountOriginal): Promise<void> {
  const row = { account: JSON.stringify(toRow(account)), invoices: JSON.stringify(invoices) }
  await db
    .insertInto('accountOriginal')
    .values({ accountId: account.id, ...row })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute()
}

export async function find(db: Kysely<Database>, accountId: string): Promise<AccountOriginal> {
  const { account, invoices } = await db
    .selectFrom('accountOriginal')
    .selectAll()
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return {
    account: fromRow(JSON.parse(account) as Database['account']),
    invoices: JSON.parse(invoices) as TaxInvoice[],
  }
}

export async function remove(db: Kysely<Database>, accountId: string): Promise<void> {
  await db.deleteFrom('accountOriginal').where('accountId', '=', accountId).execute()
}
