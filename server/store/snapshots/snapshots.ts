import type SQLite from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { apiError } from '../../domain/api/api-error.ts'
import type { Snapshot } from '../../domain/state/snapshot.ts'
import type { Instant } from '../../domain/time/berlin-time.ts'
import { fileTroubleOf } from '../../platform/system/file-trouble.ts'
import { schemaOf, schemas } from '../migrations/migrate.ts'
import type { Database } from '../schema.ts'
import type { SideEffect } from '../side-effect.ts'
import { isSqliteError } from '../sqlite/load-sqlite.ts'
import { createMigratedCopy } from './copy-rows.ts'
import type { SnapshotMetadata } from './snapshot-metadata.ts'
import type { SnapshotStorage, Upload } from './snapshot-storage.ts'
import { validateSnapshot, validateFile, type CheckRow } from './validate-snapshot.ts'

export type { Upload } from './snapshot-storage.ts'

/** How an engine copies its rows. */
export interface SnapshotRows {
  /** Copies every row into a SQLite file, and returns its bytes. `at` is stored as the time of the snapshot. */
  save(
    at: Instant,
    db: Kysely<Database>,
  ): Promise<{ readonly bytes: Buffer; readonly metadata: SnapshotMetadata }>
  /** Replaces every row with those of a SQLite file. */
  restore(source: SQLite.Database, db: Kysely<Database>): Promise<void>
}

/**
 * Copies of the whole database, each a SQLite file. Take and restore them in a unit of work, with its `db`, so that a snapshot
 * contains the changes of that unit of work. Every table is copied, new ones too.
 */
export class Snapshots {
  readonly #rows: SnapshotRows
  readonly #storage: SnapshotStorage
  readonly #db: Kysely<Database>

  constructor(rows: SnapshotRows, storage: SnapshotStorage, db: Kysely<Database>) {
    this.#rows = rows
    this.#storage = storage
    this.#db = db
  }

  /** All snapshots, ordered by name. */
  list(): Snapshot[] {
    return this.#storage
      .names()
      .toSorted()
      .map((name) => this.#describe(name))
  }

  find(name: string): Snapshot | undefined {
    return this.#has(name) ? this.#describe(name) : undefined
  }

  /** The epoch in which a snapshot was taken. */
  epochOf(name: string): string | null {
    return this.#has(name) ? this.#storage.metadata(name).epoch : null
  }

  /** Takes a snapshot. It replaces an earlier one of this name. */
  async take(name: string, at: Instant, db: Kysely<Database>): Promise<SideEffect> {
    const { bytes, metadata } = await this.#rows.save(at, db)
    try {
      return await this.#storage.save(name, bytes, metadata, db)
    } catch (error) {
      throw writeError(name, error)
    }
  }

  /** The bytes of a snapshot. */
  read(name: string): Readable {
    return this.#storage.read(name)
  }

  /** Receives a file on the disk and checks it. An invalid file is discarded. */
  async receive(name: string, content: AsyncIterable<Uint8Array>, checkRow: CheckRow): Promise<Upload> {
    const upload = this.#storage.createUpload()
    try {
      await pipeline(content, createWriteStream(upload.path, { flags: 'wx', mode: 0o600 }))
      const objection = await validateFile(upload.path, checkRow)
      if (objection !== null) throw apiError('snapshotNotKept', name, objection)
      return upload
    } catch (error) {
      upload.discard()
      throw writeError(name, error)
    }
  }

  /** Saves a received file as a snapshot. It replaces an earlier one of this name. */
  async keep(name: string, upload: Upload, db: Kysely<Database>): Promise<SideEffect> {
    return this.#storage.saveUpload(name, upload, db)
  }

  /** A migrated copy of a snapshot with an older schema, `undefined` if it needs none. */
  async openMigratedCopy(name: string): Promise<SQLite.Database | undefined> {
    if (!this.#has(name)) return undefined
    const { problem, isOlder } = this.#storage.metadata(name)
    if (problem !== null || !isOlder) return undefined
    const older = await this.#storage.open(name, this.#db)
    try {
      const objection = await validateSnapshot(older)
      if (objection !== null) throw apiError('snapshotUnusable', name, objection)
      return await createMigratedCopy(older)
    } catch (error) {
      throw restoreError(name, error)
    } finally {
      older.close()
    }
  }

  /** Replaces every row with those of a snapshot or of its migrated copy. */
  async restore(
    name: string,
    migratedCopy: SQLite.Database | undefined,
    db: Kysely<Database>,
  ): Promise<void> {
    const source = migratedCopy ?? (await this.#storage.open(name, db))
    try {
      if (schemaOf(source) !== schemas.at(-1)) {
        throw apiError('snapshotUnusable', name, 'it was replaced just now. Try again')
      }
      await this.#rows.restore(source, db)
    } catch (error) {
      throw restoreError(name, error)
    } finally {
      if (!migratedCopy) source.close()
    }
  }

  async remove(name: string, db: Kysely<Database>): Promise<SideEffect> {
    return this.#storage.remove(name, db)
  }

  #has(name: string): boolean {
    return this.#storage.names().includes(name)
  }

  #describe(name: string): Snapshot {
    const { takenAt, links, problem } = this.#storage.metadata(name)
    return { name, takenAt, links, size: this.#storage.size(name), problem }
  }
}

/** Turns trouble with the disk into an API error. Returns other errors unchanged. */
function writeError(name: string, error: unknown): unknown {
  const trouble = fileTroubleOf(error)
  if (trouble === undefined) return error
  const { what, advice } = trouble
  return apiError('snapshotNotWritten', name, what, advice)
}

/** Turns an error of SQLite into an API error. Somebody may have put an invalid file into the folder by hand. */
const restoreError = (name: string, error: unknown): unknown =>
  isSqliteError(error) ? apiError('snapshotUnusable', name, error.message) : error
