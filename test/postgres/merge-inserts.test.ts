import { expect, test } from 'vitest'
import { sqlCommand, type SqlCommand } from '../../server/store/postgres/sql-command.ts'
import { mergeInserts } from '../../server/store/postgres/merge-inserts.ts'
import type { Database } from '../../server/store/schema.ts'

const insert = (table: keyof Database, ...values: string[]): SqlCommand => ({
  ...sqlCommand(`insert into "${table}" ("id", "note") values ($1, $2)`, values),
  insertsInto: table,
})

const shown = (commands: readonly SqlCommand[]) => commands.map(({ text, values }) => [text, ...values])

test('inserts become one statement for each table, in the sequence in which rows refer to each other', () => {
  const merged = mergeInserts([
    insert('event', '1', 'a'),
    insert('link', '2', 'b'),
    insert('event', '3', 'c'),
    insert('delivery', '4', 'd'),
    insert('link', '5', 'e'),
  ])
  expect(shown(merged)).toEqual([
    ['insert into "link" ("id", "note") values ($1, $2), ($3, $4)', '2', 'b', '5', 'e'],
    ['insert into "delivery" ("id", "note") values ($1, $2)', '4', 'd'],
    ['insert into "event" ("id", "note") values ($1, $2), ($3, $4)', '1', 'a', '3', 'c'],
  ])
})

test('an insert is never executed before an earlier statement', () => {
  const update = sqlCommand('update "link" set "note" = $1', ['x'])
  const commands = [insert('event', '1', 'a'), update, insert('event', '2', 'b'), sqlCommand('commit')]
  expect(mergeInserts(commands).map(({ text }) => text)).toEqual(commands.map(({ text }) => text))
})

test('any number of rows needs few different statements', () => {
  const texts = new Set<string>()
  for (let count = 0; count <= 200; count++) {
    const rows = Array.from({ length: count }, (_none, index) => insert('link', String(index), 'n'))
    const merged = mergeInserts(rows)
    expect(merged.flatMap(({ values }) => values)).toEqual(rows.flatMap(({ values }) => values))
    for (const { text } of merged) texts.add(text)
  }
  expect(texts.size).toBe(6)
})
