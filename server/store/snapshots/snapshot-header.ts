import { closeSync, openSync, readSync } from 'node:fs'
import { constants, gunzipSync } from 'node:zlib'
import { eventFields } from '../../domain/events/event-fields.ts'
import type { Instant } from '../../domain/time/berlin-time.ts'
import { parseJson } from '../../domain/text/is-json.ts'
import { hashDefinition } from '../hash-definition.ts'
import type { Database } from '../schema.ts'
import { TABLES, tables } from '../tables.ts'
import { explainDamage, InvalidSnapshotError } from './invalid-snapshot.ts'

/** The first line of a snapshot. */
export interface SnapshotHeader {
  readonly format: typeof FORMAT
  /** A hash of the tables, columns and events that the snapshot can contain. */
  readonly version: string
  readonly takenAt: Instant
  /** `null` if nothing was ever stored. */
  readonly epoch: string | null
  /** For each table, the number of rows that follow. */
  readonly rows: Readonly<Record<keyof Database, number>>
}

/** What can be said about a snapshot without reading its rows. */
export interface SnapshotMetadata {
  readonly takenAt: Instant | null
  readonly epoch: string | null
  /** `null` if it cannot be restored. */
  readonly links: number | null
  /** Why the snapshot cannot be restored. `null` if it can be restored. */
  readonly problem: string | null
}

const FORMAT = 'paylink-sandbox snapshot'

/** Increase the number if the format of the lines changes. Changes of tables and events already change the hash. */
const VERSION = hashDefinition([1, TABLES.map((table) => [table, tables[table].columns]), eventFields])

/** Larger than any header, even if it cannot be compressed. */
export const HEADER_BYTES = 4096

export const createHeader = (
  takenAt: Instant,
  epoch: string | null,
  rows: SnapshotHeader['rows'],
): SnapshotHeader => ({ format: FORMAT, version: VERSION, takenAt, epoch, rows })

/** Reads the first line. Throws an `InvalidSnapshotError` if it is not a header of this version. */
export function parseHeader(line: string): SnapshotHeader {
  const header = parseJson(line) as Partial<SnapshotHeader> | undefined
  if (header?.format !== FORMAT) throw new InvalidSnapshotError('it is not a snapshot of a sandbox')
  if (header.version !== VERSION) {
    throw new InvalidSnapshotError(
      'it was taken by another version of paylink-sandbox. Take a snapshot with this version',
    )
  }
  const { takenAt, epoch, rows } = header
  const isComplete =
    isInstant(takenAt) &&
    (epoch === null || typeof epoch === 'string') &&
    TABLES.every((table) => Number.isSafeInteger(rows?.[table]))
  if (!isComplete) throw new InvalidSnapshotError('its first line is not that of a snapshot')
  return header as SnapshotHeader
}

export function readFileMetadata(path: string): SnapshotMetadata {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(HEADER_BYTES)
    return readMetadata(start.subarray(0, readSync(file, start)))
  } finally {
    closeSync(file)
  }
}

/** Reads the metadata of a snapshot from its first `HEADER_BYTES`. */
export function readMetadata(start: Uint8Array): SnapshotMetadata {
  try {
    if (start.length === 0) throw new InvalidSnapshotError('it is empty')
    const [line = ''] = unpackStart(start).split('\n', 1)
    const { takenAt, epoch, rows } = parseHeader(line)
    return { takenAt, epoch, links: rows.link, problem: null }
  } catch (error) {
    const { message: problem } = explainDamage(error)
    return { takenAt: null, epoch: null, links: null, problem }
  }
}

const unpackStart = (start: Uint8Array): string =>
  gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH }).toString()

const isInstant = (value: unknown): value is Instant =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value
