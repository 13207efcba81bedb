import SQLite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createSchema } from '../../server/store/create-schema.ts'
import { sqliteSchema } from '../../server/store/sqlite/claim-file.ts'
import { TABLES } from '../../server/store/tables.ts'

test('SQLite needs no temporary table for any insert', () => {
  const sqlite = new SQLite(':memory:')
  for (const statement of sqliteSchema.statements) sqlite.exec(statement)
  const steps = (table: string) =>
    sqlite.prepare<[], { opcode: string }>(`explain insert into "${table}" default values`).all()

  expect(TABLES.filter((table) => steps(table).some(({ opcode }) => opcode === 'OpenEphemeral'))).toEqual([])
  sqlite.close()
})

test('every change of the schema changes the version of the schema', () => {
  const versions = [
    createSchema(),
    createSchema((type) => type.replace('integer', 'bigint')),
    createSchema(undefined, ['create index "more" on "link" ("amount")']),
  ].map(({ version }) => version)

  expect(new Set(versions).size).toBe(3)
  expect(createSchema().version).toBe(versions[0])
})
