import type { Kysely } from 'kysely'
import { settingsOf, type BehaviorName, type Settings } from '../domain/behavior.ts'
import type { Database } from './schema.ts'

/** The scope of choices that hold for every account without one of its own. */
export const SANDBOX = ''

/** The scope of choices that this start of the sandbox came with. A later start brings its own. */
const STARTED = 'started'

export type Choices = Partial<Record<BehaviorName, string>>

/** What was chosen for a scope, and nothing else. */
export async function chosen(db: Kysely<Database>, scope: string): Promise<Choices> {
  const rows = await db.selectFrom('behavior').select(['name', 'value']).where('scope', '=', scope).execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** What is in force: the account's choice, else the sandbox's, else that of the start, else the default. */
export async function settings(db: Kysely<Database>, accountId = SANDBOX): Promise<Settings> {
  const rows = await db
    .selectFrom('behavior')
    .selectAll()
    .where('scope', 'in', [STARTED, SANDBOX, accountId])
    .execute()
  const of = (wanted: string): Choices =>
    Object.fromEntries(rows.filter(({ scope }) => scope === wanted).map(({ name, value }) => [name, value]))
  return settingsOf(of(STARTED), of(SANDBOX), of(accountId))
}

/** Begins with choices that win over what was chosen while an earlier start ran. */
export async function startWith(db: Kysely<Database>, choices: Choices): Promise<void> {
  await db.deleteFrom('behavior').where('scope', '=', STARTED).execute()
  await forget(db, SANDBOX, Object.keys(choices) as BehaviorName[])
  await choose(db, STARTED, choices)
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
