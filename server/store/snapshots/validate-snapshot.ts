import SQLite from 'better-sqlite3'
import { migratedCopy, tablesOf } from './copy-rows.ts'
import { findInTimeSlices } from './find-in-time-slices.ts'
import { migrateAlone, schemaOf, schemas } from '../migrations/migrate.ts'
import { validateHeader, openSnapshot } from './open-snapshot.ts'
import type { Database } from '../schema.ts'

/** Says where a row of the latest schema is wrong, and how. `null` for one that a sandbox may have written. */
export type CheckRow = (table: keyof Database, row: object) => string | null

/** What speaks against a file from elsewhere as a snapshot. `null` for one that a sandbox may have written. */
export async function validateFile(path: string, checkRow: CheckRow): Promise<string | null> {
  const objection = validateHeader(path)
  if (objection !== null) return objection
  const file = openSnapshot(path)
  try {
    return (await validateSnapshot(file)) ?? (await validateRows(file, checkRow))
  } finally {
    file.close()
  }
}

/** What speaks against an open database, whatever its rows hold. */
export const validateSnapshot = (db: SQLite.Database): Promise<string | null> =>
  explainCorruption(async () => {
    const odd = findExecutable(db)
    if (odd !== null) return odd
    const check = db.pragma('quick_check(1)', { simple: true })
    if (check !== 'ok') return `it is corrupt: ${String(check)}`
    return validateMigrations(db) ?? (await validateStructure(db)) ?? validateReferences(db)
  })

/** SQLite would take anything in any column. Rows of an older schema are checked as the migrations make them. */
const validateRows = (db: SQLite.Database, checkRow: CheckRow): Promise<string | null> =>
  explainCorruption(async () => {
    if (schemaOf(db) === schemas.at(-1)) return await findInvalidRow(db, checkRow)
    const migrated = await migratedCopy(db)
    try {
      return await findInvalidRow(migrated, checkRow)
    } finally {
      migrated.close()
    }
  })

async function findInvalidRow(db: SQLite.Database, checkRow: CheckRow): Promise<string | null> {
  for (const table of tablesOf(db) as (keyof Database)[]) {
    const rows = db.prepare<[], { row: number }>(`select rowid as "row", * from "${table}" not indexed`)
    const odd = await findInTimeSlices(rows.iterate(), (row) => {
      const objection = checkRow(table, row)
      return objection === null ? null : `table ${table}, row ${row.row}, ${objection}`
    })
    if (odd !== null) return odd
  }
  return null
}

async function explainCorruption(look: () => Promise<string | null>): Promise<string | null> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof SQLite.SqliteError)) throw error
    return /no such table/.test(error.message)
      ? `it is not a snapshot of a sandbox: ${error.message}`
      : `it is corrupt: ${error.message}`
  }
}

/** What would be run by reading the tables alone: views, and columns that are computed. */
function findExecutable(db: SQLite.Database): string | null {
  const view = objectsOf(db).find(({ type }) => type === 'view' || type === 'virtual table')
  if (view) return `it has a ${view.type} ${view.name}, which no sandbox makes`
  const hidden = db.prepare('select 1 from pragma_table_xinfo(?) where hidden <> 0')
  const computed = tableNames(db).find((table) => hidden.get(table) !== undefined)
  return computed === undefined ? null : unexpectedColumns(computed)
}

const unexpectedColumns = (table: string): string =>
  `its table ${table} has other columns than a sandbox gives it`

/** A schema of which this version does not know how to make its own. */
export function validateMigrations(db: SQLite.Database): string | null {
  const done = db.prepare('select name from kysely_migration order by name').pluck().all() as string[]
  const unknown = done.findLast((name) => !schemas.includes(name))
  if (unknown !== undefined) {
    return `it has database schema ${unknown}, which is newer than this version's ${schemas.at(-1)}. Update paylink-sandbox`
  }
  const isWhole = done.length > 0 && done.every((name, index) => name === schemas[index])
  return isWhole ? null : 'it is not a snapshot of a sandbox: its schema is not a whole one'
}

/** Compares what it is made of with what the migrations make. */
async function validateStructure(db: SQLite.Database): Promise<string | null> {
  const model = new SQLite(':memory:')
  try {
    await migrateAlone(model, schemaOf(db))
    const known = new Map(objectsOf(model).map((object) => [object.name, object]))
    for (const { type, name } of objectsOf(db)) {
      if (known.get(name)?.type !== type) return `it has a ${type} ${name}, which no sandbox makes`
      known.delete(name)
    }
    const missing = [...known.values()].find(({ type }) => type === 'table')
    if (missing) return `it has no table ${missing.name}`
    const odd = tableNames(model).find((table) => columnsOf(db, table) !== columnsOf(model, table))
    return odd === undefined ? null : unexpectedColumns(odd)
  } finally {
    model.close()
  }
}

interface SchemaObject {
  readonly type: string
  readonly name: string
}

const objectsOf = (db: SQLite.Database): SchemaObject[] =>
  db
    .prepare<[], SchemaObject>(
      `select case when sql like 'create virtual%' then 'virtual table' else type end as type, name
       from sqlite_master where name not like 'sqlite!_%' escape '!'`,
    )
    .all()

const tableNames = (db: SQLite.Database): string[] =>
  objectsOf(db).flatMap(({ type, name }) => (type === 'table' ? [name] : []))

const columnsOf = (db: SQLite.Database, table: string): string =>
  JSON.stringify(db.prepare('select name, type, "notnull", pk, hidden from pragma_table_xinfo(?)').all(table))

function validateReferences(db: SQLite.Database): string | null {
  const [lost] = db.pragma('foreign_key_check') as { readonly table: string; readonly parent: string }[]
  return lost ? `a row of its table ${lost.table} refers to a row of ${lost.parent} that is not there` : null
}
