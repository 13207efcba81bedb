import SQLite from 'better-sqlite3'
import { findInTimeSlices } from './find-in-time-slices.ts'
import { migrateAlone, schemaOf } from '../migrations/migrate.ts'

/** Our own tables, in the order they were made. */
export const tablesOf = (db: SQLite.Database): string[] =>
  db
    .prepare(
      `select name from sqlite_master where type = 'table'
       and name not like 'sqlite!_%' escape '!' and name not like 'kysely!_%' escape '!' order by rowid`,
    )
    .pluck()
    .all() as string[]

/** Copies a table, and comes back after each row. */
export function* copyRows(source: SQLite.Database, target: SQLite.Database, table: string): Generator<void> {
  const rows = source.prepare<[], unknown[]>(`select * from "${table}" not indexed`).raw()
  const columns = rows.columns().map(({ name }) => `"${name}"`)
  const places = columns.map(() => '?').join(', ')
  const insert = target.prepare(`insert into "${table}" (${columns.join(', ')}) values (${places})`)
  for (const row of rows.iterate()) {
    insert.run(row)
    yield
  }
}

/**
 * A copy of a snapshot of an older schema, brought to ours. Of a file from elsewhere only the rows are taken: its
 * checks and indexes may run anything when they are written to.
 */
export async function migratedCopy(older: SQLite.Database): Promise<SQLite.Database> {
  // A file that SQLite deletes by itself, as it may be larger than memory.
  const model = new SQLite('')
  try {
    await migrateAlone(model, schemaOf(older))
    model.exec('begin')
    for (const table of tablesOf(model)) await findInTimeSlices(copyRows(older, model, table), () => null)
    model.exec('commit')
    await migrateAlone(model)
    return model
  } catch (error) {
    model.close()
    throw error
  }
}
