import type SQLite from 'better-sqlite3'
import type { Instant } from '../../domain/time/time.ts'
import { validateMigrations } from './validate-snapshot.ts'
import { schemaOf, schemas } from '../migrations/migrate.ts'

/** What a snapshot tells about itself. */
export interface SnapshotMetadata {
  readonly takenAt: Instant | null
  readonly epoch: string | null
  readonly problem: string | null
  /** It has a schema that ours can be made of. */
  readonly isOlder: boolean
}

/** Reads it, without looking at every page. */
export function readSnapshotMetadata(open: () => SQLite.Database): SnapshotMetadata {
  try {
    const source = open()
    try {
      return {
        takenAt: metaIn(source, 'taken'),
        epoch: epochIn(source),
        problem: validateMigrations(source),
        isOlder: schemaOf(source) !== schemas.at(-1),
      }
    } finally {
      source.close()
    }
  } catch (error) {
    const problem = `it is not a snapshot of a sandbox: ${error instanceof Error ? error.message : String(error)}`
    return { takenAt: null, epoch: null, problem, isOlder: false }
  }
}

const metaIn = (db: SQLite.Database, key: string): string | null =>
  (db.prepare('select value from meta where key = ?').pluck().get(key) as string | undefined) ?? null

export const epochIn = (db: SQLite.Database): string | null => metaIn(db, 'epoch')
