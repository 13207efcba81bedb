import type { Kysely } from 'kysely'
import type { OriginMap } from '../../domain/network/origin-map.ts'
import type { EgressRules } from '../../domain/network/egress-rules.ts'
import { cached } from '../sqlite/read-cache.ts'
import type { Database, OutletTable } from '../schema.ts'

/** One that is kept. An origin and the pattern of a host are never spelled alike. */
export type StoredRule = Pick<OutletTable, 'from' | 'to' | 'source'>

/** All there are, in the order they were given. */
export const list = cached((db): Promise<readonly StoredRule[]> =>
  db.selectFrom('outlet').select(['from', 'to', 'source']).orderBy('id').execute(),
)

export async function read(db: Kysely<Database>): Promise<EgressRules> {
  const all = await list(db)
  return {
    maps: all.flatMap(({ from, to }) => (to === null ? [] : [{ from, to }])),
    allowedHosts: all.flatMap(({ from, to }) => (to === null ? [from] : [])),
  }
}

export const maps = async (db: Kysely<Database>): Promise<readonly OriginMap[]> => (await read(db)).maps

/** Begins with those of this start, which win over what was said while an earlier one ran. */
export async function applyStart(db: Kysely<Database>, given: EgressRules): Promise<void> {
  const started = rulesOf(given).map((outlet) => ({ ...outlet, source: 'start' as const }))
  const names = started.map(({ from }) => from)
  await db
    .deleteFrom('outlet')
    .where((where) => where.or([where('source', '=', 'start'), where('from', 'in', names)]))
    .execute()
  await insert(db, started)
}

/** Those that this start came with, as far as nobody took them away since. */
export const startRules = (db: Kysely<Database>): Promise<StoredRule[]> =>
  db
    .selectFrom('outlet')
    .select(['from', 'to', 'source'])
    .where('source', '=', 'start')
    .orderBy('id')
    .execute()

/** Puts those of this start in place of another's. What was said while one ran still wins over them. */
export async function replaceStartRules(db: Kysely<Database>, started: readonly StoredRule[]): Promise<void> {
  await db.deleteFrom('outlet').where('source', '=', 'start').execute()
  await insert(db, started)
}

/** Puts others in place of all there are. Those that stay as this start brought them are still of the start. */
export async function replace(db: Kysely<Database>, next: EgressRules): Promise<void> {
  const started = await startRules(db)
  await db.deleteFrom('outlet').execute()
  const isStarted = ({ from, to }: Omit<StoredRule, 'source'>): boolean =>
    started.some((one) => one.from === from && one.to === to)
  await insert(
    db,
    rulesOf(next).map((outlet) => ({ ...outlet, source: isStarted(outlet) ? 'start' : 'sandbox' })),
  )
}

const rulesOf = ({ maps: mapped, allowedHosts }: EgressRules): Omit<StoredRule, 'source'>[] => [
  ...mapped.map(({ from, to }) => ({ from, to })),
  ...[...new Set(allowedHosts)].map((from) => ({ from, to: null })),
]

async function insert(db: Kysely<Database>, outlets: readonly StoredRule[]): Promise<void> {
  for (const outlet of outlets) {
    await db
      .insertInto('outlet')
      .values(outlet)
      .onConflict((conflict) => conflict.column('from').doNothing())
      .execute()
  }
}
