import type SQLite from 'better-sqlite3'
import type { Kysely } from 'kysely'
import type { Readable } from 'node:stream'
import type { SideEffect } from '../side-effect.ts'
import type { Database } from '../schema.ts'
import type { SnapshotMetadata } from './snapshot-metadata.ts'

/**
 * Stores snapshots by name. A change is made at once and returns a side effect, which undoes the change on a rollback. `db` is
 * that of the unit of work.
 */
export interface SnapshotStorage {
  names(): string[]
  metadata(name: string): SnapshotMetadata
  /** The size in bytes. */
  size(name: string): number
  open(name: string, db: Kysely<Database>): SQLite.Database | Promise<SQLite.Database>
  read(name: string): Readable
  /** Saves a new snapshot. It replaces an earlier one of this name. */
  save(
    name: string,
    bytes: Buffer,
    metadata: SnapshotMetadata,
    db: Kysely<Database>,
  ): SideEffect | Promise<SideEffect>
  /** Creates a path for an upload. */
  createUpload(): Upload
  /** Saves an upload as a snapshot. It replaces an earlier one of this name. */
  saveUpload(name: string, upload: Upload, db: Kysely<Database>): SideEffect | Promise<SideEffect>
  remove(name: string, db: Kysely<Database>): SideEffect | Promise<SideEffect>
}

/** A file that is being received. It has no name yet. */
export interface Upload {
  readonly path: string
  /** Deletes the file, unless it was saved. */
  discard(): void
}
