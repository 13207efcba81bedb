import { TABLES } from '../tables.ts'
import type { SqlCommand } from './sql-command.ts'

/** Each power of two has one statement, so that the server can keep it parsed. */
const SIZES = [32, 16, 8, 4, 2, 1]

/**
 * Merges consecutive inserts into fewer statements with several rows each, which take the server about half the time. Tables come
 * in the sequence of their creation, so that a row comes after the rows that it refers to.
 */
export function mergeInserts(commands: readonly SqlCommand[]): SqlCommand[] {
  const merged: SqlCommand[] = []
  for (let first = 0; first < commands.length;) {
    const rest = commands.slice(first)
    const others = rest.findIndex(({ insertsInto }) => insertsInto === undefined)
    const inserts = others < 0 ? rest : rest.slice(0, others)
    merged.push(...mergeAll(inserts))
    first += inserts.length
    if (others >= 0) merged.push(commands[first++]!)
  }
  return merged
}

function mergeAll(inserts: readonly SqlCommand[]): SqlCommand[] {
  const sorted = inserts.toSorted((one, other) => positionOf(one) - positionOf(other))
  const merged: SqlCommand[] = []
  for (let first = 0; first < sorted.length;) {
    const { text } = sorted[first]!
    const others = sorted.findIndex((insert, index) => index > first && insert.text !== text)
    const left = (others < 0 ? sorted.length : others) - first
    const size = SIZES.find((one) => one <= left)!
    const rows = sorted.slice(first, first + size).map(({ values }) => values)
    merged.push({ text: withRows(text, size, rows[0]!.length), values: rows.flat(), hasRows: false })
    first += size
  }
  return merged
}

const positionOf = ({ insertsInto }: SqlCommand): number => TABLES.indexOf(insertsInto!)

const texts = new Map<string, string>()

/**
 * The text of an insert for several rows. `text` is the insert for one row, and ends with its placeholders: `values ($1, $2)`.
 */
function withRows(text: string, rows: number, columns: number): string {
  const key = `${rows} ${text}`
  let longer = texts.get(key)
  if (longer === undefined) {
    const beforeValues = text.slice(0, text.lastIndexOf('('))
    longer =
      beforeValues +
      Array.from({ length: rows }, (_none, row) => placeholders(row * columns, columns)).join(', ')
    texts.set(key, longer)
  }
  return longer
}

const placeholders = (before: number, columns: number): string =>
  `(${Array.from({ length: columns }, (_none, column) => `$${before + column + 1}`).join(', ')})`
