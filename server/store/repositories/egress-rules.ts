import type { Kysely } from 'kysely'
import type { OriginMap } from '../../domain/network/origin-map.ts'
import type { EgressRules } from '../../domain/network/egress-rules.ts'
import { cached, changed } from '../writer-state.ts'
import type { Database, EgressRuleTable } from '../schema.ts'

/** A map, or an allowed host if `to` is `null`. An origin can always be told from a host pattern. */
export type StoredRule = Pick<EgressRuleTable, 'from' | 'to' | 'source'>

/** All rules, oldest first. */
export const list = cached('egressRule', (db): Promise<readonly StoredRule[]> =>
  db.selectFrom('egressRule').select(['from', 'to', 'source']).orderBy('id').execute(),
)

export async function read(db: Kysely<Database>): Promise<EgressRules> {
  const all = await list(db)
  return {
    maps: all.flatMap(({ from, to }) => (to === null ? [] : [{ from, to }])),
    allowedHosts: all.flatMap(({ from, to }) => (to === null ? [from] : [])),
  }
}

export const maps = async (db: Kysely<Database>): Promise<readonly OriginMap[]> => (await read(db)).maps

/** Applies the rules that were passed at startup. They override rules that were set earlier. */
export async function applyStart(db: Kysely<Database>, startRules: EgressRules): Promise<void> {
  const rules = toRules(startRules).map((rule) => ({ ...rule, source: 'start' as const }))
  const names = rules.map(({ from }) => from)
  changed(db, 'egressRule')
  await db
    .deleteFrom('egressRule')
    .where((where) => where.or([where('source', '=', 'start'), where('from', 'in', names)]))
    .execute()
  await insert(db, rules)
}

/** The rules that were passed at startup, and were not removed since. */
export const startRules = async (db: Kysely<Database>): Promise<StoredRule[]> =>
  (await list(db)).filter(({ source }) => source === 'start')

/** Replaces the startup rules. Rules that were set while a sandbox ran still override them. */
export async function replaceStartRules(db: Kysely<Database>, rules: readonly StoredRule[]): Promise<void> {
  changed(db, 'egressRule')
  await db.deleteFrom('egressRule').where('source', '=', 'start').execute()
  await insert(db, rules)
}

/** Replaces all rules. A rule from a startup option keeps this source if it does not change. */
export async function replace(db: Kysely<Database>, next: EgressRules): Promise<void> {
  const started = await startRules(db)
  changed(db, 'egressRule')
  await db.deleteFrom('egressRule').execute()
  const wasGivenAtStart = ({ from, to }: Omit<StoredRule, 'source'>): boolean =>
    started.some((one) => one.from === from && one.to === to)
  await insert(
    db,
    toRules(next).map((rule) => ({ ...rule, source: wasGivenAtStart(rule) ? 'start' : 'sandbox' })),
  )
}

const toRules = ({ maps: mapped, allowedHosts }: EgressRules): Omit<StoredRule, 'source'>[] => [
  ...mapped.map(({ from, to }) => ({ from, to })),
  ...[...new Set(allowedHosts)].map((from) => ({ from, to: null })),
]

async function insert(db: Kysely<Database>, rules: readonly StoredRule[]): Promise<void> {
  for (const rule of rules) {
    changed(db, 'egressRule')
    await db
      .insertInto('egressRule')
      .values(rule)
      .onConflict((conflict) => conflict.column('from').doNothing())
      .execute()
  }
}
