import { setImmediate as otherWork } from 'node:timers/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { formatMebibytes, MIB } from '../../domain/http/limits.ts'
import { parseJson } from '../../domain/text/is-json.ts'
import { isRecord } from '../../domain/text/is-object.ts'
import type { Database } from '../schema.ts'
import { TABLES, tables } from '../tables.ts'
import { createKeyCheck } from './check-keys.ts'
import { explainDamage, InvalidSnapshotError } from './invalid-snapshot.ts'
import { parseHeader, type SnapshotHeader } from './snapshot-header.ts'

/** Returns what is wrong with the values of a row. `null` for a valid row. */
export type CheckRow = (table: keyof Database, row: Row) => string | null

type Row = Record<string, unknown>

interface Batch {
  readonly table: keyof Database
  readonly rows: readonly Row[]
}

const ROWS_PER_BATCH = 50
/** Longer than a row with two bodies in which every character is escaped. */
const MAX_LINE_CHARACTERS = 64 * MIB
/** Limits the unpacked size, because a small compressed file could otherwise fill the memory. */
const MAX_UNPACKED_BYTES = 4096 * MIB
/** Limited, because the keys of all rows are kept in memory. */
const MAX_LINES = 4_000_000

/** The maximum time that other work waits while rows are read. */
const SLICE_MS = 10

/**
 * Reads the rows of a snapshot. Checks that the file is complete, and that the database would accept the rows. Throws an
 * `InvalidSnapshotError` with the reason. The whole file is then invalid, including the rows that were already returned. A file from
 * someone else also needs `checkRow`, which takes longer than everything else.
 */
export async function* readRows(file: Readable, checkRow: CheckRow = () => null): AsyncGenerator<Batch> {
  let header: SnapshotHeader | undefined
  let batch: { table: keyof Database; rows: Row[] } | undefined
  const counts = new Map<string, number>()
  const checkKeys = createKeyCheck()
  let since = performance.now()
  let number = 0
  for await (const line of unpackLines(file)) {
    number++
    if (!header) {
      header = parseHeader(line)
      continue
    }
    const [table, row] = parseLine(line, number)
    const count = (counts.get(table) ?? 0) + 1
    counts.set(table, count)
    if (number > MAX_LINES) throw new InvalidSnapshotError(`it has more than ${MAX_LINES} lines`)
    const objection = checkColumns(table, row) ?? checkRow(table, row) ?? checkKeys(table, row)
    if (objection !== null) throw new InvalidSnapshotError(`table ${table}, row ${count}, ${objection}`)
    if (batch && (batch.table !== table || batch.rows.length === ROWS_PER_BATCH)) {
      yield batch
      batch = undefined
    }
    batch ??= { table, rows: [] }
    batch.rows.push(row)
    if (performance.now() - since > SLICE_MS) {
      await otherWork()
      since = performance.now()
    }
  }
  if (!header) throw new InvalidSnapshotError('it has no line')
  for (const table of TABLES) {
    const count = counts.get(table) ?? 0
    if (count !== header.rows[table]) {
      throw new InvalidSnapshotError(
        `it has ${count} rows of the table ${table}, but its first line says ${header.rows[table]}`,
      )
    }
  }
  if (batch) yield batch
}

async function* unpackLines(file: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  let size = 0
  try {
    for await (const chunk of pipeline(file, createGunzip({ chunkSize: 64 * 1024 }), () => undefined)) {
      size += (chunk as Buffer).length
      if (size > MAX_UNPACKED_BYTES) {
        throw new InvalidSnapshotError(
          `it is larger than ${formatMebibytes(MAX_UNPACKED_BYTES)} when unpacked`,
        )
      }
      const [first = '', ...others] = decoder.decode(chunk as Buffer, { stream: true }).split('\n')
      rest += first
      for (const next of others) {
        yield rest
        rest = next
      }
      if (rest.length > MAX_LINE_CHARACTERS) {
        throw new InvalidSnapshotError(`it has a line of more than ${formatMebibytes(MAX_LINE_CHARACTERS)}`)
      }
    }
  } catch (error) {
    throw explainDamage(error)
  }
  if (rest !== '') throw new InvalidSnapshotError('it is incomplete: its last line has no end')
}

function parseLine(line: string, number: number): [table: keyof Database, row: Row] {
  const parsed = parseJson(line)
  const [table, row] = Array.isArray(parsed) && parsed.length === 2 ? (parsed as unknown[]) : []
  if (typeof table !== 'string' || !isRecord(row)) {
    throw new InvalidSnapshotError(`line ${number} is not a row, like ["link",{"id":1001}]`)
  }
  if (!Object.hasOwn(tables, table)) {
    throw new InvalidSnapshotError(
      `line ${number} has a row of the table ${table}, but there is no such table`,
    )
  }
  return [table as keyof Database, row]
}

/** Checks the columns of a row and the types of its values, and decodes its bytes. */
function checkColumns(table: keyof Database, row: Row): string | null {
  const columns: Readonly<Record<string, string>> = tables[table].columns
  for (const name in columns) {
    if (!Object.hasOwn(row, name)) return `${name}: is missing`
    const type = columns[name]!
    if (type === 'blob' && isRecord(row[name])) row[name] = decodeBytes(row[name])
    const [typeName, fits] = TYPES[type]!
    if (!fits(row[name])) return `${name}: should be ${typeName}`
  }
  const unknown = Object.keys(row).find((name) => !Object.hasOwn(columns, name))
  return unknown === undefined ? null : `${unknown}: there is no such column`
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isInteger = (value: unknown): boolean => Number.isSafeInteger(value)

/** For each type of column, how errors call its values, and a function that checks them. */
const TYPES: Readonly<Record<string, readonly [name: string, fits: (value: unknown) => boolean]>> = {
  'text not null': ['text', isText],
  'integer not null': ['a whole number', isInteger],
  'real not null': ['a number', Number.isFinite],
  text: ['text or null', (value) => value === null || isText(value)],
  integer: ['a whole number or null', (value) => value === null || isInteger(value)],
  blob: [
    'text, bytes like {"base64":"AAE="}, or null',
    (value) => value === null || isText(value) || value instanceof Uint8Array,
  ],
}

function decodeBytes({ base64, ...others }: Row): Uint8Array | undefined {
  if (typeof base64 !== 'string' || Object.keys(others).length > 0) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64') === base64 ? bytes : undefined
}
