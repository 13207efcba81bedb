import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Account } from '../../domain/accounts/account.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import type { Database } from '../../store/schema.ts'
import { notFound } from './problem.ts'

export const accountId = z.string().meta({
  description: 'The id of the account.',
  examples: ['00000000-0000-4000-8000-000000000001'],
})

/** Finds the account with an id. */
export async function findAccount(db: Kysely<Database>, id: string): Promise<Account> {
  const account = await accounts.find(db, id)
  if (!account) throw notFound(`There is no account ${id}. GET /_sandbox/v1/accounts lists them.`)
  return account
}

/** Refuses what is narrowed down to an account that is not there: misspelled, it would be empty for good. */
export async function assertAccountExists(db: Kysely<Database>, id: string | undefined): Promise<void> {
  if (id !== undefined) await findAccount(db, id)
}
