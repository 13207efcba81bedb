import { connectSqlite } from '../sqlite/load-sqlite.ts'
import { migrateAlone } from './migrate.ts'

/** The statements that create the latest schema in an empty database. Running all migrations takes ten times as long. */
export const latestSchema = await listStatements()

async function listStatements(): Promise<string[]> {
  const sqlite = connectSqlite(':memory:')
  await migrateAlone(sqlite)
  const schema = sqlite
    .prepare<[], string>('select sql from sqlite_master where sql is not null order by rowid')
    .pluck()
    .all()
  const names = sqlite.prepare<[], string>('select name from kysely_migration order by name').pluck().all()
  const locks = sqlite.prepare<[], string>('select id from kysely_migration_lock').pluck().all()
  sqlite.close()
  return [
    ...schema,
    ...names.map(
      (name) => `insert into kysely_migration values ('${name}', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`,
    ),
    ...locks.map((id) => `insert into kysely_migration_lock (id) values ('${id}')`),
  ]
}
