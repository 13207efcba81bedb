import type { Kysely } from 'kysely'
import {
  resolveBehaviors,
  type BehaviorChoices,
  type BehaviorSettings,
} from '../../domain/behaviors/behavior.ts'
import type { BehaviorName } from '../../domain/behaviors/open-points.ts'
import { cached, changed } from '../writer-state.ts'
import type { Database } from '../schema.ts'

/** The scope of values for every account that has not set its own. */
export const SANDBOX_SCOPE = ''

/** The scope of values that were passed at startup. The next startup replaces them. */
const START_SCOPE = 'started'

/** The active value of every behavior: the account's value, or else the sandbox's, the startup value, or the default. */
export const settings = cached(
  'behavior',
  async (db: Kysely<Database>, accountId?: string): Promise<BehaviorSettings> =>
    resolveBehaviors(...(await layers(db, accountId)).map(({ choices }) => choices)),
)

/** Where a value comes from. */
type Source = 'default' | 'start' | 'sandbox' | 'account'

interface Layer {
  readonly source: Source
  readonly choices: BehaviorChoices
}

/** The values for an account, or for the whole sandbox, by layer. A later layer overrides earlier ones. */
export async function layers(db: Kysely<Database>, accountId?: string): Promise<readonly Layer[]> {
  const scopes: [scope: string, source: Source][] = [
    [START_SCOPE, 'start'],
    [SANDBOX_SCOPE, 'sandbox'],
  ]
  if (accountId !== undefined) scopes.push([accountId, 'account'])
  const rows = await db
    .selectFrom('behavior')
    .selectAll()
    .where(
      'scope',
      'in',
      scopes.map(([scope]) => scope),
    )
    .execute()
  return scopes.map(([wanted, source]) => ({
    source,
    choices: Object.fromEntries(
      rows.filter(({ scope }) => scope === wanted).map(({ name, value }) => [name, value]),
    ),
  }))
}

export async function listByScope(db: Kysely<Database>): Promise<Map<string, BehaviorChoices>> {
  const chosen = new Map<string, BehaviorChoices>()
  for (const { scope, name, value } of await db.selectFrom('behavior').selectAll().execute()) {
    chosen.set(scope, { ...chosen.get(scope), [name]: value })
  }
  return chosen
}

/** Applies the values that were passed at startup. They override values that were set for the sandbox earlier. */
export async function applyStart(db: Kysely<Database>, choices: BehaviorChoices): Promise<void> {
  await remove(db, SANDBOX_SCOPE, Object.keys(choices) as BehaviorName[])
  await replaceStartChoices(db, choices)
}

/** The values that were passed at startup. */
export async function startChoices(db: Kysely<Database>): Promise<BehaviorChoices> {
  const all = await layers(db)
  return all.find(({ source }) => source === 'start')?.choices ?? {}
}

/** Replaces the startup values. Values that are set for the sandbox still override them. */
export async function replaceStartChoices(db: Kysely<Database>, choices: BehaviorChoices): Promise<void> {
  changed(db, 'behavior')
  await db.deleteFrom('behavior').where('scope', '=', START_SCOPE).execute()
  await save(db, START_SCOPE, choices)
}

export async function save(db: Kysely<Database>, scope: string, choices: BehaviorChoices): Promise<void> {
  for (const [name, value] of Object.entries(choices)) {
    changed(db, 'behavior')
    await db
      .insertInto('behavior')
      .values({ scope, name: name as BehaviorName, value })
      .onConflict((conflict) => conflict.columns(['scope', 'name']).doUpdateSet({ value }))
      .execute()
  }
}

/** Removes values of a scope, so that those of the next lower layer apply again. */
export async function remove(
  db: Kysely<Database>,
  scope: string,
  names: readonly BehaviorName[],
): Promise<void> {
  if (names.length === 0) return
  changed(db, 'behavior')
  await db.deleteFrom('behavior').where('scope', '=', scope).where('name', 'in', names).execute()
}

export async function removeForAccount(db: Kysely<Database>, accountId: string): Promise<void> {
  changed(db, 'behavior')
  await db.deleteFrom('behavior').where('scope', '=', accountId).execute()
}
