import { isDeepStrictEqual } from 'node:util'
import type SQLite from 'better-sqlite3'
import { Kysely, Migrator, SqliteDialect } from 'kysely'
import { migrations } from './index.ts'

/** Migrates a database to the latest schema, or to the schema named `upTo`. PostgreSQL has the tables in a `namespace`. */
export async function migrate<Tables>(db: Kysely<Tables>, upTo?: string, namespace?: string): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    ...(namespace !== undefined && { migrationTableSchema: namespace }),
  })
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo))
  if (error) throw error
}

/** Migrates a database that nothing else uses. It stays open. */
export const migrateAlone = (sqlite: SQLite.Database, upTo?: string): Promise<void> =>
  migrate(new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) }), upTo)

/** The names of all schemas in their order. A schema is named after its newest migration. */
export const schemas = Object.keys(migrations).toSorted()

export const schemaOf = (db: SQLite.Database): string =>
  db.prepare('select max(name) from kysely_migration').pluck().get() as string

/** Whether all migrations have run, and no others. */
export function hasLatestSchema(db: SQLite.Database): boolean {
  const hasMigrations =
    db.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get() !== undefined
  if (!hasMigrations) return false
  const ran = db.prepare<[], string>('select name from kysely_migration order by name').pluck().all()
  return isDeepStrictEqual(ran, schemas)
}
