import type SQLite from 'better-sqlite3'
import { Kysely, Migrator, SqliteDialect } from 'kysely'
import { migrations } from './index.ts'

/** Brings a database to the latest schema, or to an earlier one. */
export async function migrate<Tables>(db: Kysely<Tables>, upTo?: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo))
  if (error) throw error
}

/** The same for a database that nothing else looks at. It stays open. */
export const migrateAlone = (sqlite: SQLite.Database, upTo?: string): Promise<void> =>
  migrate(new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) }), upTo)

/** The names of all migrations, in their order. */
export const schemas = Object.keys(migrations).toSorted()

/** The newest migration of a database stands for those before it. */
export const schemaOf = (db: SQLite.Database): string =>
  db.prepare('select max(name) from kysely_migration').pluck().get() as string
