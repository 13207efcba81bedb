import SQLite from 'better-sqlite3'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sqliteSchema } from '../../server/store/sqlite/claim-file.ts'
import { TABLES } from '../../server/store/tables.ts'

type Row = Record<string, unknown>
type Line = readonly [table: string, row: Row]

/** The header of a snapshot and its other lines. */
export interface SnapshotFile {
  readonly header: Row
  readonly lines: readonly Line[]
}

type Place = { readonly url: string }

export const snapshotFileUrl = ({ url }: Place, name: string, query = ''): string =>
  `${url}/_sandbox/v1/snapshots/${name}/file${query}`

export const downloadSnapshot = async (sandbox: Place, name: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(snapshotFileUrl(sandbox, name))).arrayBuffer())

export async function uploadSnapshot(
  sandbox: Place,
  name: string,
  bytes: Uint8Array | string,
  query = '',
): Promise<{ status: number; answer: Record<string, unknown> }> {
  const response = await fetch(snapshotFileUrl(sandbox, name, query), {
    method: 'PUT',
    body: bytes as BodyInit,
  })
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> }
}

export function unpackSnapshot(bytes: Uint8Array): SnapshotFile {
  const [header, ...lines] = gunzipSync(bytes).toString().trimEnd().split('\n')
  return { header: JSON.parse(header!) as Row, lines: lines.map((line) => JSON.parse(line) as Line) }
}

export const packSnapshot = ({ header, lines }: SnapshotFile): Buffer =>
  gzipSync([header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''))

/** The rows of a snapshot by table. */
export function rowsOf(bytes: Uint8Array): Record<string, Row[]> {
  const { lines } = unpackSnapshot(bytes)
  return Object.fromEntries(
    TABLES.map((name) => [name, lines.flatMap(([table, row]) => (table === name ? [row] : []))]),
  )
}

/** Changes one row of a snapshot by an SQL statement. The header counts the remaining rows. */
export function changeRows(bytes: Uint8Array, statement: string): Buffer {
  const sqlite = new SQLite(':memory:')
  for (const create of sqliteSchema.statements) sqlite.exec(create)
  sqlite.pragma('foreign_keys = off')
  const { header, lines } = unpackSnapshot(bytes)
  for (const [table, row] of lines) {
    const columns = Object.keys(row)
    sqlite
      .prepare(
        `insert into "${table}" (${columns.map((column) => `"${column}"`).join()}) values (${columns.map(() => '?').join()})`,
      )
      .run(...Object.values(row).map(toColumn))
  }
  if (sqlite.prepare(statement).run().changes === 0) throw new Error(`Nothing was changed: ${statement}`)
  const changed = TABLES.map(
    (table) => [table, sqlite.prepare<[], Row>(`select * from "${table}"`).all()] as const,
  )
  sqlite.close()
  return packSnapshot({
    header: { ...header, rows: Object.fromEntries(changed.map(([table, rows]) => [table, rows.length])) },
    lines: changed.flatMap(([table, rows]) => rows.map((row): Line => [table, mapValues(row, toJson)])),
  })
}

const mapValues = (row: Row, change: (value: unknown) => unknown): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, change(value)]))

const toColumn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Buffer.from((value as { base64: string }).base64, 'base64')
    : value

const toJson = (value: unknown): unknown =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value
