import type SQLite from 'better-sqlite3'
import { createMigratedCopy, tablesOf } from './copy-rows.ts'
import { findInTimeSlices } from './find-in-time-slices.ts'
import { migrateAlone, schemaOf, schemas } from '../migrations/migrate.ts'
import { validateHeader, openSnapshot } from './open-snapshot.ts'
import type { Database } from '../schema.ts'
import { connectSqlite, isSqliteError } from '../sqlite/load-sqlite.ts'

/** Returns what is wrong with a row of the latest schema. `null` if a sandbox can have written the row. */
export type CheckRow = (table: keyof Database, row: object) => string | null

/**
 * Checks an uploaded file. Returns what is wrong with it as a snapshot, or `null`. Tables and columns must be those
 * of the migrations. The caller passes the check of rows, because the store does not know the schemas of values.
 */
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

/** Checks everything about a snapshot except the values in its rows. Returns what is wrong, or `null`. */
export const validateSnapshot = (db: SQLite.Database): Promise<string | null> =>
  explainCorruption(async () => {
    const executable = findExecutable(db)
    if (executable !== null) return executable
    const check = db.pragma('quick_check(1)', { simple: true })
    if (check !== 'ok') return `it is corrupt: ${String(check)}`
    return validateMigrations(db) ?? (await validateStructure(db)) ?? validateReferences(db)
  })

/**
 * Checks every row, because SQLite stores any value in any column. Rows of an older schema are checked after their
 * migration.
 */
const validateRows = (db: SQLite.Database, checkRow: CheckRow): Promise<string | null> =>
  explainCorruption(async () => {
    if (schemaOf(db) === schemas.at(-1)) return await findInvalidRow(db, checkRow)
    const migratedCopy = await createMigratedCopy(db)
    try {
      return await findInvalidRow(migratedCopy, checkRow)
    } finally {
      migratedCopy.close()
    }
  })

async function findInvalidRow(db: SQLite.Database, checkRow: CheckRow): Promise<string | null> {
  for (const table of tablesOf(db) as (keyof Database)[]) {
    const rows = db.prepare<[], { row: number }>(`select rowid as "row", * from "${table}" not indexed`)
    const found = await findInTimeSlices(rows.iterate(), (row) => {
      const objection = checkRow(table, row)
      return objection === null ? null : `table ${table}, row ${row.row}, ${objection}`
    })
    if (found !== null) return found
  }
  return null
}

async function explainCorruption(validate: () => Promise<string | null>): Promise<string | null> {
  try {
    return await validate()
  } catch (error) {
    if (!isSqliteError(error)) throw error
    return /no such table/.test(error.message)
      ? `it is not a snapshot of a sandbox: ${error.message}`
      : `it is corrupt: ${error.message}`
  }
}

/** Finds what SQLite runs when tables are read: views, virtual tables and generated columns. */
function findExecutable(db: SQLite.Database): string | null {
  const view = objectsOf(db).find(({ type }) => type === 'view' || type === 'virtual table')
  if (view) return unexpectedObject(view)
  const hidden = db.prepare('select 1 from pragma_table_xinfo(?) where hidden <> 0')
  const generated = tableNames(db).find((table) => hidden.get(table) !== undefined)
  return generated === undefined ? null : unexpectedColumns(generated)
}

const unexpectedObject = ({ type, name }: SchemaObject): string =>
  `it has a ${type} ${name}, which no sandbox creates`

const unexpectedColumns = (table: string): string =>
  `the columns of its table ${table} differ from those of a sandbox`

/** Checks whether this version can migrate the schema of a database to its own. */
export function validateMigrations(db: SQLite.Database): string | null {
  const done = db.prepare('select name from kysely_migration order by name').pluck().all() as string[]
  const unknown = done.findLast((name) => !schemas.includes(name))
  if (unknown !== undefined) {
    return `it has database schema ${unknown}, which is newer than this version's ${schemas.at(-1)}. Update paylink-sandbox`
  }
  const isComplete = done.length > 0 && done.every((name, index) => name === schemas[index])
  return isComplete ? null : 'it is not a snapshot of a sandbox: its schema is incomplete'
}

/** Compares the tables and columns of a database with those that the migrations create. */
async function validateStructure(db: SQLite.Database): Promise<string | null> {
  const model = connectSqlite(':memory:')
  try {
    await migrateAlone(model, schemaOf(db))
    const known = new Map(objectsOf(model).map((object) => [object.name, object]))
    for (const object of objectsOf(db)) {
      if (known.get(object.name)?.type !== object.type) return unexpectedObject(object)
      known.delete(object.name)
    }
    const missing = [...known.values()].find(({ type }) => type === 'table')
    if (missing) return `it has no table ${missing.name}`
    const different = tableNames(model).find((table) => columnsOf(db, table) !== columnsOf(model, table))
    return different === undefined ? null : unexpectedColumns(different)
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
  const [broken] = db.pragma('foreign_key_check') as { readonly table: string; readonly parent: string }[]
  return broken ? `a row of its table ${broken.table} refers to a missing row of ${broken.parent}` : null
}
