import SQLite from 'better-sqlite3'
import { randomUUID } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError, messages } from '../../domain/api/api-error.ts'
import { SNAPSHOT_NAME_PATTERN } from '../../domain/state/snapshot.ts'
import type { Snapshot } from '../../domain/state/snapshot.ts'
import type { Instant } from '../../domain/time/time.ts'
import { fileTroubleOf } from '../../system/file-trouble.ts'
import { copyRows, migratedCopy, tablesOf } from './copy-rows.ts'
import { validateSnapshot, validateFile, type CheckRow } from './validate-snapshot.ts'
import { schemaOf, schemas } from '../migrations/migrate.ts'
import { openSnapshot } from './open-snapshot.ts'
import { epochIn, readSnapshotMetadata, type SnapshotMetadata } from './snapshot-metadata.ts'
import type { SideEffect } from '../store.ts'

/** A file that has come in, on the disk and under no name yet. */
export interface Upload {
  readonly path: string
  /** Takes away what was not kept. */
  discard(): void
}

const EXTENSION = '.db'
const UPLOAD_EXTENSION = '.upload'
const WRITING_EXTENSION = `${EXTENSION}.new`
const REPLACED_EXTENSION = `${EXTENSION}.old`

interface SnapshotInMemory {
  readonly bytes: Buffer
  readonly inside: SnapshotMetadata
}

interface SnapshotsOptions {
  readonly folder: string | undefined
  /** Told before rows change, of which only this class knows. */
  readonly beforeChange: () => void
}

/**
 * Copies of the whole database, each a SQLite file of its own: in a folder beside the database, or in memory
 * where that is. Taking and restoring one belongs into a unit of work, on whose connection both are done.
 */
export class Snapshots {
  readonly #sqlite: SQLite.Database
  readonly #folder: string | undefined
  readonly #beforeChange: () => void
  readonly #inMemory = new Map<string, SnapshotInMemory>()
  #putAsideCount = 0

  constructor(sqlite: SQLite.Database, { folder, beforeChange }: SnapshotsOptions) {
    this.#sqlite = sqlite
    this.#folder = folder
    this.#beforeChange = beforeChange
    // What a process that ended was receiving or writing.
    for (const file of [...this.#files(UPLOAD_EXTENSION), ...this.#files(WRITING_EXTENSION)]) {
      rmSync(join(folder ?? '', file), { force: true })
    }
    // What one that was to take its place has left aside. Of several, the first is the one that was committed.
    for (const file of this.#files(REPLACED_EXTENSION).toSorted()) {
      const [name = ''] = file.split('.', 1)
      if (existsSync(this.#path(name))) rmSync(join(folder ?? '', file), { force: true })
      else renameSync(join(folder ?? '', file), this.#path(name))
    }
    if (folder === undefined) removeAbandoned()
  }

  /** The snapshots there are, by name. */
  list(): Snapshot[] {
    return this.#names().map((name) => this.#show(name))
  }

  find(name: string): Snapshot | undefined {
    return this.#names().includes(name) ? this.#show(name) : undefined
  }

  /** The life of the journal that a snapshot is of. */
  epochOf(name: string): string | null {
    return this.#names().includes(name) ? this.#inside(name).epoch : null
  }

  /** Keeps everything as it is in this unit of work, in place of what had the name before. */
  take(name: string, at: Instant): SideEffect {
    this.#sqlite.prepare(`insert or replace into meta values ('taken', ?)`).run(at)
    const bytes = this.#sqlite.serialize()
    this.#sqlite.prepare(`delete from meta where key = 'taken'`).run()
    // A write-ahead log stays behind, and a copy that asked for one could not be opened alone.
    bytes.fill(1, 18, 20)

    if (this.#folder === undefined) {
      const inside = { takenAt: at, epoch: epochIn(this.#sqlite), problem: null, isOlder: false }
      return this.#keepInMemory(name, { bytes, inside })
    }
    const written = `${this.#path(name)}.new`
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      rmSync(written, { force: true })
      writeFileSync(written, bytes, { mode: 0o600, flag: 'wx' })
      return this.#keepFile(name, written)
    } catch (error) {
      rmSync(written, { force: true })
      throw writeError(name, error)
    }
  }

  /** The bytes of a snapshot. */
  read(name: string): Readable {
    const kept = this.#inMemory.get(name)
    return kept ? Readable.from([kept.bytes]) : createReadStream(this.#path(name))
  }

  /** Takes in a file from elsewhere, if it is a snapshot. Nothing is kept of another. */
  async receive(name: string, content: AsyncIterable<Uint8Array>, checkRow: CheckRow): Promise<Upload> {
    const own =
      this.#folder === undefined
        ? mkdtempSync(join(tmpdir(), `${UPLOAD_FOLDER_PREFIX}${process.pid}-`))
        : undefined
    const folder = own ?? this.#folder ?? ''
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${randomUUID()}${UPLOAD_EXTENSION}`)
    const discard = (): void => rmSync(own ?? path, { recursive: true, force: true })
    try {
      await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      const objection = await validateFile(path, checkRow)
      if (objection !== null) throw new ApiError('invalid', messages.snapshotNotKept(name, objection))
      return { path, discard }
    } catch (error) {
      discard()
      throw writeError(name, error)
    }
  }

  /** Gives a file that was taken in its name, in place of what had that before. */
  keep(name: string, { path }: Upload): SideEffect {
    if (this.#folder !== undefined) return this.#keepFile(name, path)
    const bytes = readFileSync(path)
    return this.#keepInMemory(name, { bytes, inside: readSnapshotMetadata(() => openSnapshot(bytes)) })
  }

  /** A copy of a snapshot of an older schema, brought to ours. `undefined` for one that needs none. */
  async migrated(name: string): Promise<SQLite.Database | undefined> {
    if (!this.#names().includes(name)) return undefined
    const { problem, isOlder } = this.#inside(name)
    if (problem !== null || !isOlder) return undefined
    const older = this.#open(name)
    try {
      const objection = await validateSnapshot(older)
      if (objection !== null) throw new ApiError('conflict', messages.snapshotUnusable(name, objection))
      return await migratedCopy(older)
    } catch (error) {
      throw restoreError(name, error)
    } finally {
      older.close()
    }
  }

  /** Puts every row back as it was, from a snapshot or its migrated copy. Tables refer to those made before them. */
  restore(name: string, migrated?: SQLite.Database): void {
    const source = migrated ?? this.#open(name)
    try {
      if (schemaOf(source) !== schemas.at(-1)) {
        throw new ApiError('conflict', messages.snapshotUnusable(name, 'it was replaced just now. Try again'))
      }
      const tables = tablesOf(this.#sqlite)
      this.#beforeChange()
      for (const table of tables.toReversed()) this.#sqlite.prepare(`delete from "${table}"`).run()
      for (const table of tables) for (const _ of copyRows(source, this.#sqlite, table));
      this.#sqlite.prepare(`delete from meta where key in ('taken', 'undo')`).run()
    } catch (error) {
      throw restoreError(name, error)
    } finally {
      if (!migrated) source.close()
    }
  }

  /** Takes a snapshot away. */
  remove(name: string): SideEffect {
    if (this.#folder !== undefined) return this.#putAside(name)
    const before = this.#inMemory.get(name)
    this.#inMemory.delete(name)
    return { onCommit() {}, onRollback: () => void (before && this.#inMemory.set(name, before)) }
  }

  #keepInMemory(name: string, kept: SnapshotInMemory): SideEffect {
    const before = this.#inMemory.get(name)
    this.#inMemory.set(name, kept)
    return {
      onCommit() {},
      onRollback: () => void (before ? this.#inMemory.set(name, before) : this.#inMemory.delete(name)),
    }
  }

  #keepFile(name: string, from: string): SideEffect {
    const before = this.#putAside(name)
    try {
      renameSync(from, this.#path(name))
    } catch (error) {
      before.onRollback()
      throw error
    }
    return before
  }

  /** Makes room for another file of that name, or for none. */
  #putAside(name: string): SideEffect {
    const path = this.#path(name)
    // Of its own, as others in the same commit may do so too.
    const number = String(this.#putAsideCount++).padStart(9, '0')
    const before = join(this.#folder ?? '', `${name}.${number}${REPLACED_EXTENSION}`)
    if (existsSync(path)) renameSync(path, before)
    return {
      onCommit: () => rmSync(before, { force: true }),
      onRollback() {
        if (existsSync(before)) renameSync(before, path)
        else rmSync(path, { force: true })
      },
    }
  }

  #names(): string[] {
    if (this.#folder === undefined) return [...this.#inMemory.keys()].toSorted()
    return this.#files(EXTENSION)
      .map((file) => file.slice(0, -EXTENSION.length))
      .filter((name) => SNAPSHOT_NAME_PATTERN.test(name))
      .toSorted()
  }

  #files(ending: string): string[] {
    if (this.#folder === undefined || !existsSync(this.#folder)) return []
    return readdirSync(this.#folder).filter((file) => file.endsWith(ending))
  }

  #show(name: string): Snapshot {
    const { takenAt, problem } = this.#inside(name)
    return { name, takenAt, size: this.#size(name), problem }
  }

  #size(name: string): number {
    return this.#inMemory.get(name)?.bytes.length ?? statSync(this.#path(name)).size
  }

  #inside(name: string): SnapshotMetadata {
    return this.#inMemory.get(name)?.inside ?? readSnapshotMetadata(() => this.#open(name))
  }

  #open(name: string): SQLite.Database {
    return openSnapshot(this.#inMemory.get(name)?.bytes ?? this.#path(name))
  }

  #path(name: string): string {
    return join(this.#folder ?? '', `${name}${EXTENSION}`)
  }
}

/** Folders of what is received, each with the id of the process that receives. */
const UPLOAD_FOLDER_PREFIX = 'paylink-upload-'

/** Takes away what processes that were killed had received. Of others' folders only those that we may take away. */
function removeAbandoned(): void {
  for (const folder of readdirSync(tmpdir()).filter((name) => name.startsWith(UPLOAD_FOLDER_PREFIX))) {
    const [id = ''] = folder.slice(UPLOAD_FOLDER_PREFIX.length).split('-')
    if (!/^\d+$/.test(id) || isRunning(Number(id))) continue
    try {
      rmSync(join(tmpdir(), folder), { recursive: true, force: true })
    } catch {
      // Another user's.
    }
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** A full disk is for whoever asked to know. */
function writeError(name: string, error: unknown): unknown {
  const trouble = fileTroubleOf(error)
  if (trouble === undefined) return error
  const { what, advice } = trouble
  return new ApiError('conflict', `Snapshot ${name} could not be written: ${what}. ${advice}, then try again`)
}

/** A file that was put into the folder by hand may hold anything. */
const restoreError = (name: string, error: unknown): unknown =>
  error instanceof SQLite.SqliteError
    ? new ApiError('conflict', messages.snapshotUnusable(name, error.message))
    : error
