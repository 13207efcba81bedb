import type { Database } from '../schema.ts'
import { tables } from '../tables.ts'

type Row = Readonly<Record<string, unknown>>

/**
 * Checks the keys of rows before the rows are in the database: no two rows may have the same key, and a row may refer only to
 * earlier rows. The returned function says what is wrong with a row, and returns `null` for a valid row.
 */
export function createKeyCheck(): (table: keyof Database, row: Row) => string | null {
  const known = new Map<string, Set<unknown>>()

  const valuesOf = (table: keyof Database, columns: readonly string[]): Set<unknown> => {
    const name = `${table} ${columns.join()}`
    const values = known.get(name) ?? new Set()
    known.set(name, values)
    return values
  }

  return (table, row) => {
    const { key, unique = [], references = [] } = tables[table]
    for (const columns of [key, ...unique]) {
      const values = valuesOf(table, columns)
      const value = valueOf(row, columns)
      if (values.has(value)) return `${columns.join(', ')}: is the same as in an earlier row`
      values.add(value)
    }
    const broken = references.find(
      ({ columns, table: other, to }) => !valuesOf(other, to).has(valueOf(row, columns)),
    )
    return broken ? `${broken.columns.join(', ')}: there is no such row in the table ${broken.table}` : null
  }
}

const valueOf = (row: Row, columns: readonly string[]): unknown =>
  columns.length === 1 ? row[columns[0]!] : JSON.stringify(columns.map((column) => row[column]))
