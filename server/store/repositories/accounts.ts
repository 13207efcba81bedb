import { sql, type Kysely } from 'kysely'
import type { Account } from '../../domain/accounts/account.ts'
import { cached, changed } from '../writer-state.ts'
import { createRowCodec } from '../row-codec.ts'
import type { Database } from '../schema.ts'

/** SQLite limits the number of values in one statement. */
const MAX_ROWS_PER_STATEMENT = 1_000

export async function insert(db: Kysely<Database>, accounts: readonly Account[]): Promise<void> {
  for (let from = 0; from < accounts.length; from += MAX_ROWS_PER_STATEMENT) {
    const some = accounts.slice(from, from + MAX_ROWS_PER_STATEMENT)
    changed(db, 'account')
    await db.insertInto('account').values(some.map(toRow)).execute()
  }
}

export async function save(db: Kysely<Database>, account: Account): Promise<void> {
  const { id, ...columns } = toRow(account)
  await addFormerKeyOf(db, id, columns.apiKey)
  changed(db, 'account')
  await db.updateTable('account').set(columns).where('id', '=', id).execute()
}

export async function remove(db: Kysely<Database>, id: string): Promise<void> {
  await addFormerKeyOf(db, id)
  changed(db, 'account')
  await db.deleteFrom('account').where('id', '=', id).execute()
}

/** All columns except `rowid`, which is the number of the account. SQLite leaves `rowid` out of `*`. */
const COLUMNS = Object.keys({
  id: true,
  name: true,
  environment: true,
  apiKey: true,
  recipientToken: true,
  paymentEndpoint: true,
  callbackUrls: true,
  webhookUrls: true,
  billing: true,
  bankTransfer: true,
  serviceFee: true,
} satisfies Record<keyof Account, true>) as (keyof Account)[]

/** Every API key that an account has now, or has had since the last reset of the sandbox. */
export async function keys(db: Kysely<Database>): Promise<string[]> {
  const rows = await db
    .selectFrom('account')
    .select('apiKey')
    .union(db.selectFrom('formerKey').select('apiKey'))
    .execute()
  return rows.map(({ apiKey }) => apiKey)
}

/** Remembers former keys of accounts. Exports also mask these keys. */
export async function addFormerKeys(db: Kysely<Database>, former: readonly string[]): Promise<void> {
  for (const apiKey of former) {
    await db
      .insertInto('formerKey')
      .values({ apiKey })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Stores the account's API key as a former key, so that it is still masked. Does nothing if `next` is the same key. */
async function addFormerKeyOf(db: Kysely<Database>, id: string, next = ''): Promise<void> {
  const before = db.selectFrom('account').select('apiKey').where('id', '=', id).where('apiKey', '!=', next)
  await db
    .insertInto('formerKey')
    .columns(['apiKey'])
    .expression(before)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** All accounts, in the sequence in which they were created. */
export async function list(db: Kysely<Database>): Promise<Account[]> {
  const rows = await db
    .selectFrom('account')
    .select(COLUMNS)
    .orderBy(sql`rowid`)
    .execute()
  return rows.map(fromRow)
}

/** One page of the accounts, in the sequence in which they were created. `next` is the `after` of the next page. */
export async function listAfter(
  db: Kysely<Database>,
  after: number,
  limit: number,
): Promise<{ readonly accounts: readonly Account[]; readonly next: number | null }> {
  const number = sql<number>`rowid`
  const rows = await db
    .selectFrom('account')
    .select([...COLUMNS, number.as('number')])
    .where(number, '>', after)
    .orderBy(number)
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  return {
    accounts: page.map(({ number: _number, ...row }) => fromRow(row)),
    next: rows.length > limit ? Number(page.at(-1)!.number) : null,
  }
}

export async function names(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom('account').select('name').execute()
  return rows.map(({ name }) => name)
}

export const find = (db: Kysely<Database>, id: string): Promise<Account | undefined> =>
  findByColumn(db, 'id', id)

export const withApiKey = (db: Kysely<Database>, apiKey: string): Promise<Account | undefined> =>
  findByColumn(db, 'apiKey', apiKey)

export const withRecipientToken = (
  db: Kysely<Database>,
  recipientToken: string,
): Promise<Account | undefined> => findByColumn(db, 'recipientToken', recipientToken)

/** The accounts with these recipient tokens, by token. Unknown tokens are left out. */
export async function withRecipientTokens(
  db: Kysely<Database>,
  tokens: readonly string[],
): Promise<Map<string, Account>> {
  const found = new Map<string, Account>()
  for (const token of new Set(tokens)) {
    const account = await findByColumn(db, 'recipientToken', token)
    if (account) found.set(token, account)
  }
  return found
}

export const findByColumn = cached(
  'account',
  async (db, column: 'id' | 'apiKey' | 'recipientToken', value: string): Promise<Account | undefined> => {
    const row = await db.selectFrom('account').select(COLUMNS).where(column, '=', value).executeTakeFirst()
    return row && fromRow(row)
  },
)

export const { toRow, fromRow } = createRowCodec<Account>({
  callbackUrls: 'json',
  webhookUrls: 'json',
  billing: 'json',
  bankTransfer: 'boolean',
})
