import type { Kysely } from 'kysely'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { pipeline as finished } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { apiError } from '../../domain/api/api-error.ts'
import type { Snapshot } from '../../domain/state/snapshot.ts'
import type { Instant } from '../../domain/time/berlin-time.ts'
import { fileTroubleOf } from '../../platform/system/file-trouble.ts'
import { emptyTables } from '../empty-tables.ts'
import * as meta from '../meta.ts'
import type { Database } from '../schema.ts'
import type { SideEffect } from '../side-effect.ts'
import { InvalidSnapshotError } from './invalid-snapshot.ts'
import { readRows, type CheckRow } from './read-rows.ts'
import { createHeader, readFileMetadata } from './snapshot-header.ts'
import type { SnapshotStorage, Upload } from './snapshot-storage.ts'
import { countRows, writeLines } from './write-rows.ts'

export type { CheckRow } from './read-rows.ts'
export type { Upload } from './snapshot-storage.ts'

/**
 * Copies of the whole database. Each is a compressed file with one line per row, which both engines can read. Snapshots must be
 * taken and restored in a unit of work, with its `db`, so that a snapshot contains the changes of this unit of work. Other units
 * of work have to wait.
 */
export class Snapshots {
  readonly #storage: SnapshotStorage

  constructor(storage: SnapshotStorage) {
    this.#storage = storage
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

  epochOf(name: string): string | null {
    return this.#has(name) ? this.#storage.metadata(name).epoch : null
  }

  /** Takes a snapshot. Replaces an earlier snapshot with this name. */
  async take(name: string, at: Instant, db: Kysely<Database>): Promise<SideEffect> {
    const header = createHeader(at, (await meta.read(db, 'epoch')) ?? null, await countRows(db))
    // The fastest level. A higher level makes the file slightly smaller, and takes several times as long.
    const gzip = createGzip({ level: constants.Z_BEST_SPEED })
    const content = pipeline(Readable.from(writeLines(db, header)), gzip, () => undefined)
    return this.#save(name, content, db)
  }

  read(name: string): Readable {
    return this.#storage.read(name)
  }

  /**
   * Receives a file and checks it. Deletes an invalid file. The caller passes `checkRow`, because the store does not know the
   * schemas of the values.
   */
  async receive(name: string, content: AsyncIterable<Uint8Array>, checkRow: CheckRow): Promise<Upload> {
    const upload = this.#storage.createUpload()
    try {
      await finished(content, createWriteStream(upload.path, { flags: 'wx', mode: 0o600 }))
      const { problem } = readFileMetadata(upload.path)
      if (problem !== null) throw new InvalidSnapshotError(problem)
      for await (const _ of readRows(createReadStream(upload.path), checkRow));
      return upload
    } catch (error) {
      upload.discard()
      if (error instanceof InvalidSnapshotError) throw apiError('snapshotNotKept', name, error.message)
      throw writeError(name, error)
    }
  }

  /** Saves a received file as a snapshot. Replaces an earlier snapshot with this name. */
  keep(name: string, upload: Upload, db: Kysely<Database>): Promise<SideEffect> {
    return this.#save(name, createReadStream(upload.path), db)
  }

  /** Replaces all rows with those of a snapshot. Their values were checked during the upload, or come from this sandbox. */
  async restore(name: string, db: Kysely<Database>): Promise<void> {
    await emptyTables(db)
    try {
      for await (const { table, rows } of readRows(this.#storage.read(name, db))) {
        await db
          .insertInto(table)
          .values(rows as never)
          .execute()
      }
    } catch (error) {
      throw error instanceof InvalidSnapshotError ? apiError('snapshotUnusable', name, error.message) : error
    }
    await meta.remove(db, 'undo')
  }

  /** Lists the snapshots again after the database has lost its newest changes. */
  async reload(db: Kysely<Database>): Promise<void> {
    await this.#storage.reload?.(db)
  }

  async remove(name: string, db: Kysely<Database>): Promise<SideEffect> {
    return this.#storage.remove(name, db)
  }

  async #save(name: string, content: Readable, db: Kysely<Database>): Promise<SideEffect> {
    try {
      return await this.#storage.save(name, content, db)
    } catch (error) {
      throw writeError(name, error)
    }
  }

  #has(name: string): boolean {
    return this.#storage.names().includes(name)
  }

  #describe(name: string): Snapshot {
    const { takenAt, links, problem } = this.#storage.metadata(name)
    return { name, takenAt, links, size: this.#storage.size(name), problem }
  }
}

/** Turns a disk error into an API error. Returns other errors unchanged. */
function writeError(name: string, error: unknown): unknown {
  const trouble = fileTroubleOf(error)
  if (trouble === undefined) return error
  const { what, advice } = trouble
  return apiError('snapshotNotWritten', name, what, advice)
}
