import type { Kysely } from 'kysely'
import type { Readable } from 'node:stream'
import type { SideEffect } from '../side-effect.ts'
import type { Database } from '../schema.ts'
import type { SnapshotMetadata } from './snapshot-header.ts'

/**
 * Stores snapshots by name. A change takes effect at once, and returns a side effect that can undo it. `db` is the handle of the
 * unit of work.
 */
export interface SnapshotStorage {
  /** Reads the list of snapshots again. Missing if snapshots are not kept in the database. */
  reload?(db: Kysely<Database>): Promise<void>
  names(): string[]
  metadata(name: string): SnapshotMetadata
  /** The size in bytes. */
  size(name: string): number
  /** `db` is missing outside of a unit of work. */
  read(name: string, db?: Kysely<Database>): Readable
  /** Saves a snapshot completely or not at all. Replaces an earlier snapshot with this name. */
  save(name: string, content: Readable, db: Kysely<Database>): Promise<SideEffect>
  /** Chooses an unused path for an upload, in a folder that exists. The caller writes the file. */
  createUpload(): Upload
  remove(name: string, db: Kysely<Database>): SideEffect | Promise<SideEffect>
}

/** A file that is being received and has no name yet. */
export interface Upload {
  readonly path: string
  /** Deletes the file. */
  discard(): void
}
