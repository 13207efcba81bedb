import SQLite from 'better-sqlite3'
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { apiError } from '../../domain/api/api-error.ts'
import type { Snapshot } from '../../domain/state/snapshot.ts'
import type { Instant } from '../../domain/time/time.ts'
import { fileTroubleOf } from '../../system/file-trouble.ts'
import type { SideEffect } from '../store.ts'
import { schemaOf, schemas } from '../migrations/migrate.ts'
import { copyRows, createMigratedCopy, tablesOf } from './copy-rows.ts'
import { createFolderStorage } from './folder-storage.ts'
import { createMemoryStorage } from './memory-storage.ts'
import { countLinks, readEpoch } from './snapshot-metadata.ts'
import type { SnapshotStorage, Upload } from './snapshot-storage.ts'
import { validateSnapshot, validateFile, type CheckRow } from './validate-snapshot.ts'

export type { Upload } from './snapshot-storage.ts'

interface SnapshotsOptions {
  /** The folder beside the database, `undefined` for a database in memory. */
  readonly folder: string | undefined
  /** Called before rows change. This class writes without Kysely, so nothing else tells the cache. */
  readonly beforeChange: () => void
}

/**
 * Copies of the whole database, each a SQLite file. Take and restore them in a unit of work: they use its connection,
 * so a snapshot contains the changes of that unit of work. Every table is copied, new ones too.
 */
export class Snapshots {
  readonly #sqlite: SQLite.Database
  readonly #storage: SnapshotStorage
  readonly #beforeChange: () => void

  constructor(sqlite: SQLite.Database, { folder, beforeChange }: SnapshotsOptions) {
    this.#sqlite = sqlite
    this.#storage = folder === undefined ? createMemoryStorage() : createFolderStorage(folder)
    this.#beforeChange = beforeChange
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
  take(name: string, at: Instant): SideEffect {
    this.#sqlite.prepare(`insert or replace into meta values ('taken', ?)`).run(at)
    const bytes = this.#sqlite.serialize()
    this.#sqlite.prepare(`delete from meta where key = 'taken'`).run()
    // Turns off WAL mode in the header: SQLite could not open the copy without its write-ahead log.
    bytes.fill(1, 18, 20)
    const metadata = {
      takenAt: at,
      epoch: readEpoch(this.#sqlite),
      links: countLinks(this.#sqlite),
      problem: null,
      isOlder: false,
    }
    try {
      return this.#storage.save(name, bytes, metadata)
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
  keep(name: string, upload: Upload): SideEffect {
    return this.#storage.saveUpload(name, upload)
  }

  /** A migrated copy of a snapshot with an older schema, `undefined` if it needs none. */
  async openMigratedCopy(name: string): Promise<SQLite.Database | undefined> {
    if (!this.#has(name)) return undefined
    const { problem, isOlder } = this.#storage.metadata(name)
    if (problem !== null || !isOlder) return undefined
    const older = this.#storage.open(name)
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
  restore(name: string, migratedCopy?: SQLite.Database): void {
    const source = migratedCopy ?? this.#storage.open(name)
    try {
      if (schemaOf(source) !== schemas.at(-1)) {
        throw apiError('snapshotUnusable', name, 'it was replaced just now. Try again')
      }
      const tables = tablesOf(this.#sqlite)
      this.#beforeChange()
      // Deletes in reverse order, because rows refer only to rows of earlier tables.
      for (const table of tables.toReversed()) this.#sqlite.prepare(`delete from "${table}"`).run()
      for (const table of tables) for (const _ of copyRows(source, this.#sqlite, table));
      this.#sqlite.prepare(`delete from meta where key in ('taken', 'undo')`).run()
    } catch (error) {
      throw restoreError(name, error)
    } finally {
      if (!migratedCopy) source.close()
    }
  }

  remove(name: string): SideEffect {
    return this.#storage.remove(name)
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
  error instanceof SQLite.SqliteError ? apiError('snapshotUnusable', name, error.message) : error
