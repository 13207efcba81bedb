import type { Kysely } from 'kysely'
import { settingsOf, type BehaviorName, type Settings } from '../domain/behavior.ts'
import type { Database } from './schema.ts'

/** The scope of choices that hold for every account without one of its own. */
export const SANDBOX = ''

export type Choices = Partial<Record<BehaviorName, string>>

/** What was chosen for a scope, and nothing else. */
export async function chosen(db: Kysely<Database>, scope: string): Promise<Choices> {
  const rows = await db.selectFrom('behavior').select(['name', 'value']).where('scope', '=', scope).execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** What is in force: the account's choice, else the sandbox's, else the default. */
export async function settings(db: Kysely<Database>, accountId?: string): Promise<Settings> {
  const own = accountId === undefined ? {} : await chosen(db, accountId)
  return settingsOf(await chosen(db, SANDBOX), own)
}

export async function choose(db: Kysely<Database>, scope: string, choices: Choices): Promise<void> {
  for (const [name, value] of Object.entries(choices)) {
    await db
      .insertInto('behavior')
      .values({ scope, name: name as BehaviorName, value })
      .onConflict((conflict) => conflict.columns(['scope', 'name']).doUpdateSet({ value }))
      .execute()
  }
}

/** Goes back to what holds without the scope's own choices. */
export async function forget(
  db: Kysely<Database>,
  scope: string,
  names: readonly BehaviorName[],
): Promise<void> {
  if (names.length === 0) return
  await db.deleteFrom('behavior').where('scope', '=', scope).where('name', 'in', names).execute()
}

export async function removeOf(db: Kysely<Database>, accountId: string): Promise<void> {
  await db.deleteFrom('behavior').where('scope', '=', accountId).execute()
}
