import SQLite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrateAlone } from '../../server/store/migrations/migrate.ts'
import { TABLES } from '../../server/store/schema.ts'
import { tablesOf } from '../../server/store/snapshots/copy-rows.ts'

test('the list of tables has those that the migrations create, in the same order', async () => {
  const sqlite = new SQLite(':memory:')
  await migrateAlone(sqlite)
  expect(TABLES).toEqual(tablesOf(sqlite))
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
