import SQLite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrateAlone } from '../../server/store/migrations/migrate.ts'
import { tables, TABLES } from '../../server/store/tables.ts'

test('the definition of the tables has what the migrations create, in the same order', async () => {
  const sqlite = new SQLite(':memory:')
  await migrateAlone(sqlite)
  const created = sqlite
    .prepare(`select name from sqlite_master where type = 'table' and name not like 'kysely%' order by rowid`)
    .pluck()
    .all() as string[]
  const columns = sqlite.prepare<[string], { name: string; type: string }>(
    `select name, lower(type) || iif("notnull" or pk, ' not null', '') as type from pragma_table_info(?)`,
  )

  expect(TABLES).toEqual(created)
  for (const table of TABLES) {
    expect([table, Object.entries(tables[table].columns)]).toEqual([
      table,
      columns.all(table).map(({ name, type }) => [name, type]),
    ])
  }
  sqlite.close()
})

test('no insert builds a temporary table for the condition of an index', async () => {
  const sqlite = new SQLite(':memory:')
  await migrateAlone(sqlite)
  const steps = (table: string) =>
    sqlite.prepare<[], { opcode: string }>(`explain insert into "${table}" default values`).all()

  expect(TABLES.filter((table) => steps(table).some(({ opcode }) => opcode === 'OpenEphemeral'))).toEqual([])
  sqlite.close()
})
