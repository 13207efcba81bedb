import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Account } from '../../domain/accounts/account.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import type { Database } from '../../store/schema.ts'
import { unknownId } from './problem.ts'

export const accountId = z.string().meta({
  description: 'The id of the account.',
  examples: ['00000000-0000-4000-8000-000000000001'],
})

export async function findAccount(db: Kysely<Database>, id: string): Promise<Account> {
  const account = await accounts.find(db, id)
  if (!account) throw unknownId('account', id, 'GET /accounts')
  return account
}

/** Rejects a filter with an unknown account, because an empty list would hide the typo. */
export async function assertAccountExists(db: Kysely<Database>, id: string | undefined): Promise<void> {
  if (id !== undefined) await findAccount(db, id)
}

/** The filter for one account. Without an id, for all accounts. */
export async function accountFilter(
  db: Kysely<Database>,
  id: string | undefined,
): Promise<{ readonly accountId?: string }> {
  await assertAccountExists(db, id)
  return id === undefined ? {} : { accountId: id }
}
