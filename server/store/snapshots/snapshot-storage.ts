import type SQLite from 'better-sqlite3'
import type { Readable } from 'node:stream'
import type { SideEffect } from '../store.ts'
import type { SnapshotMetadata } from './snapshot-metadata.ts'

/** Where snapshots are kept, by name. Changes are made at once, and their side effects undo them on a rollback. */
export interface SnapshotStorage {
  names(): string[]
  metadata(name: string): SnapshotMetadata
  /** The size in bytes. */
  size(name: string): number
  open(name: string): SQLite.Database
  read(name: string): Readable
  /** Saves a new snapshot. It replaces an earlier one of this name. */
  save(name: string, bytes: Buffer, metadata: SnapshotMetadata): SideEffect
  /** Creates a path for an upload. */
  createUpload(): Upload
  /** Saves an upload as a snapshot. It replaces an earlier one of this name. */
  saveUpload(name: string, upload: Upload): SideEffect
  remove(name: string): SideEffect
}

/** A file that is being received. It has no name yet. */
export interface Upload {
  readonly path: string
  /** Deletes the file, unless it was saved. */
  discard(): void
}
