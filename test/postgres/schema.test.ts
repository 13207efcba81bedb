import SQLite from 'better-sqlite3'
import { expect } from 'vitest'
import { asInteger } from '../../server/store/postgres/leader.ts'
import { openPostgres } from '../../server/store/postgres/open-postgres.ts'
import { sqliteSchema } from '../../server/store/sqlite/claim-file.ts'
import { TABLES } from '../../server/store/tables.ts'
import { newSchema, postgresUrl, query } from '../support/postgres.ts'
import { test } from '../support/test.ts'

/** Columns that only PostgreSQL has. */
const OWN_COLUMNS = ['account.rowid']

const TYPES: Readonly<Record<string, string>> = {
  INTEGER: 'bigint',
  REAL: 'double precision',
  TEXT: 'text',
  BLOB: 'text',
}

test('both engines have the same tables, columns, keys and indexes', async () => {
  const sqlite = new SQLite(':memory:')
  for (const statement of sqliteSchema.statements) sqlite.exec(statement)
  await using schema = newSchema()
  await (await openPostgres(schema.url)).close()

  expect(await columnsOfPostgres(schema.schema)).toEqual(columnsOfSqlite(sqlite))
  expect(await indexesOfPostgres(schema.schema)).toEqual(indexesOfSqlite(sqlite))
  expect(await referencesOfPostgres(schema.schema)).toEqual(referencesOfSqlite(sqlite))
  sqlite.close()
})

function columnsOfSqlite(sqlite: SQLite.Database): string[] {
  return TABLES.flatMap((table) =>
    sqlite
      .prepare<[string], { name: string; type: string; required: number }>(
        `select name, type, "notnull" or pk as required from pragma_table_info(?)`,
      )
      .all(table)
      .map(({ name, type, required }) =>
        [`${table}.${name}`, TYPES[type.toUpperCase()], required ? 'required' : 'optional'].join(' '),
      ),
  ).toSorted()
}

async function columnsOfPostgres(schema: string): Promise<string[]> {
  const rows = await query(
    postgresUrl!,
    `select table_name || '.' || column_name as name, data_type as type, is_nullable as optional, collation_name
     from information_schema.columns where table_schema = '${schema}'`,
  )
  const ours = rows.filter(({ name }) => TABLES.some((table) => String(name).startsWith(`${table}.`)))
  // With another collation, texts would be compared by the rules of a language.
  expect(ours.filter(({ type, collation_name }) => type === 'text' && collation_name !== 'C')).toEqual([])
  return ours
    .filter(({ name }) => !OWN_COLUMNS.includes(String(name)))
    .map(({ name, type, optional }) => [name, type, optional === 'YES' ? 'optional' : 'required'].join(' '))
    .toSorted()
}

/** Indexes by name, with their columns and condition. Indexes of keys and unique columns have other names, so they are left out. */
function indexesOfSqlite(sqlite: SQLite.Database): string[] {
  const named = sqlite
    .prepare<[], { sql: string }>(`select sql from sqlite_master where type = 'index' and sql is not null`)
    .all()
    .map(({ sql }) => plain(sql))
  const keys = TABLES.flatMap((table) =>
    sqlite
      .prepare<[string], { name: string; origin: string }>(
        `select name, origin from pragma_index_list(?) where origin <> 'c'`,
      )
      .all(table)
      .map(({ name }) => {
        const columns = sqlite
          .prepare<[string], string>('select name from pragma_index_info(?)')
          .pluck()
          .all(name)
        return `unique ${table} ${columns.join()}`
      })
      .concat(integerKeyOf(sqlite, table)),
  )
  return [...named, ...keys].toSorted()
}

/** In SQLite, a key that is the number of the row needs no index. */
function integerKeyOf(sqlite: SQLite.Database, table: string): string[] {
  const keys = sqlite
    .prepare<[string], { name: string; type: string }>(
      'select name, type from pragma_table_info(?) where pk > 0',
    )
    .all(table)
  const [key] = keys
  return keys.length === 1 && key!.type.toUpperCase() === 'INTEGER' ? [`unique ${table} ${key!.name}`] : []
}

async function indexesOfPostgres(schema: string): Promise<string[]> {
  const rows = await query(
    postgresUrl!,
    `select indexdef as text, tablename as table, indexname as name from pg_indexes where schemaname = '${schema}'`,
  )
  return rows
    .filter(({ table }) => TABLES.includes(table as (typeof TABLES)[number]))
    .map(({ text, table }) => {
      const definition = String(text).replace(`"${schema}".`, '')
      if (!definition.startsWith('CREATE UNIQUE')) return plain(definition)
      return `unique ${String(table)} ${/\((.*)\)/.exec(definition)![1]!.replaceAll(/["\s]/g, '')}`
    })
    .toSorted()
}

/** PostgreSQL changes the notation of an index definition. */
const plain = (definition: string): string =>
  definition
    .toLowerCase()
    .replaceAll(/using btree |::text(\[\])?/g, '')
    .replaceAll(/ = any \(array\[(.*?)\]\)/g, ' in $1')
    .replaceAll(/ <> all \(array\[(.*?)\]\)/g, ' not in $1')
    .replaceAll(/["()]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/, /g, ',')

function referencesOfSqlite(sqlite: SQLite.Database): string[] {
  return TABLES.flatMap((table) =>
    sqlite
      .prepare<[string], { to: string; from: string; parent: string; action: string }>(
        `select "table" as parent, "from", "to", on_delete as action from pragma_foreign_key_list(?)`,
      )
      .all(table)
      .map(({ parent, from, to, action }) => `${table}.${from} ${parent}.${to} ${action}`),
  ).toSorted()
}

async function referencesOfPostgres(schema: string): Promise<string[]> {
  const rows = await query(
    postgresUrl!,
    `select own.table_name as table, own.column_name as column, other.table_name as parent,
       other.column_name as key, delete_rule as action
     from information_schema.referential_constraints refers
     join information_schema.key_column_usage own on own.constraint_schema = refers.constraint_schema
       and own.constraint_name = refers.constraint_name
     join information_schema.key_column_usage other on other.constraint_schema = refers.unique_constraint_schema
       and other.constraint_name = refers.unique_constraint_name
       and other.ordinal_position = own.position_in_unique_constraint
     where own.constraint_schema = '${schema}'`,
  )
  return rows
    .filter(({ table }) => TABLES.includes(table as (typeof TABLES)[number]))
    .map(
      (row) =>
        `${row.table as string}.${row.column as string} ${row.parent as string}.${row.key as string} ${row.action as string}`,
    )
    .toSorted()
}

test('the lock has a key for every oid, even above 2^31', async () => {
  const oids = ['1', '2147483647', '2147483648', '4294967295']
  const rows = await query(
    postgresUrl!,
    `select ${asInteger('oid')} as key from unnest(array[${oids.join(', ')}]::bigint[]) as known(oid)`,
  )
  expect(rows.map(({ key }) => Number(key))).toEqual([1, 2147483647, -2147483648, -1])
})
