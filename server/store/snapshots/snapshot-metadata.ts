import type SQLite from 'better-sqlite3'
import type { Instant } from '../../domain/time/berlin-time.ts'
import { validateMigrations } from './validate-snapshot.ts'
import { schemaOf, schemas } from '../migrations/migrate.ts'

/** The metadata of a snapshot. */
export interface SnapshotMetadata {
  readonly takenAt: Instant | null
  readonly epoch: string | null
  /** `null` if it cannot be restored. */
  readonly links: number | null
  /** Why it cannot be restored, `null` if it can. */
  readonly problem: string | null
  /** It has an older schema, which can be migrated. */
  readonly isOlder: boolean
}

/** Reads the metadata of a snapshot. This does not check every page. */
export function readSnapshotMetadata(open: () => SQLite.Database): SnapshotMetadata {
  try {
    const source = open()
    try {
      const problem = validateMigrations(source)
      return {
        takenAt: readMeta(source, 'taken'),
        epoch: readEpoch(source),
        links: problem === null ? countLinks(source) : null,
        problem,
        isOlder: schemaOf(source) !== schemas.at(-1),
      }
    } finally {
      source.close()
    }
  } catch (error) {
    const problem = `it is not a snapshot of a sandbox: ${error instanceof Error ? error.message : String(error)}`
    return { takenAt: null, epoch: null, links: null, problem, isOlder: false }
  }
}

const readMeta = (db: SQLite.Database, key: string): string | null =>
  (db.prepare('select value from meta where key = ?').pluck().get(key) as string | undefined) ?? null

export const readEpoch = (db: SQLite.Database): string | null => readMeta(db, 'epoch')

/** How many links a database contains. */
export const countLinks = (db: SQLite.Database): number =>
  db.prepare('select count(*) from link').pluck().get() as number
