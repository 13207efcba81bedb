import type SQLite from 'better-sqlite3'
import { Kysely, sql, SqliteAdapter, SqliteDialect, type SqliteDatabase } from 'kysely'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readlinkSync,
  realpathSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { reasonOf } from '../../domain/text/reason-of.ts'
import { makeDataFolder } from '../../platform/system/make-folder.ts'
import { claimFile, sqliteSchema } from './claim-file.ts'
import { openError, DatabaseError, databaseTroubleOf } from '../database-error.ts'
import { codeOf, DISK_FULL, explainPathError, fileTroubleOf } from '../../platform/system/file-trouble.ts'
import { diskTrouble } from './disk-trouble.ts'
import { connectSqlite, installedSqlite } from './load-sqlite.ts'
import { createLogCheckpoints } from './log-checkpoints.ts'
import type { Engine, GroupCommit } from '../engine.ts'
import { preparedCommand } from '../prepared.ts'
import { WriterState, type Run, type WriterAdapter } from '../writer-state.ts'
import type { Database } from '../schema.ts'
import { createFolderStorage } from '../snapshots/folder-storage.ts'
import { createMemoryStorage } from '../snapshots/memory-storage.ts'
import { Snapshots } from '../snapshots/snapshots.ts'
import { allowScript, packageManagerOf, projectOf, rebuildCommand } from './package-manager.ts'

/** Opens the database file, or `:memory:`, and creates the tables if it is empty. */
export async function openSqlite(file: string): Promise<Engine> {
  rejectOtherThanFile(file)
  // Throws if SQLite is not installed, before a file is created.
  installedSqlite()
  const isInMemory = file === ':memory:'
  let sqlite: SQLite.Database | undefined
  try {
    if (!isInMemory) createFile(file)
    sqlite = isInMemory ? connectSqlite(file) : await claimFile(file)
    sqlite.pragma('synchronous = NORMAL')
    // SQLite would otherwise copy each page that changes after a savepoint to a temporary file. In return, a reset or a restore
    // needs as much memory as the data that it replaces, until it commits.
    sqlite.pragma('temp_store = memory')
    sqlite.pragma('foreign_keys = ON')
    sqlite.pragma(`cache_size = -${PAGE_CACHE_KIB}`)
    const realPath = isInMemory ? undefined : realpathSync(file)
    const state = new WriterState()
    const db = new Kysely<Database>({ dialect: new WriterDialect(sqlite, state) })
    createTablesIfEmpty(sqlite)
    const checkpoints = realPath === undefined ? undefined : createLogCheckpoints(sqlite, realPath)
    return {
      name: `SQLite ${sqlite.prepare('select sqlite_version()').pluck().get() as string}`,
      db,
      // The file is consistent after a power failure, but may lack the newest commits.
      commitsWaitForDisk: false,
      snapshots: new Snapshots(isInMemory ? createMemoryStorage() : createFolderStorage(`${file}.snapshots`)),
      async group(run) {
        await checkpoints?.beforeTransaction()
        try {
          await db.transaction().execute((transaction) => {
            state.beginGroup(transaction)
            return run(groupIn(transaction, state))
          })
          state.endGroup()
        } catch (error) {
          state.forget()
          throw error
        }
        checkpoints?.afterTransaction()
      },
      // Makes the file smaller. Without this, new rows would use the free space, but the file would never shrink.
      compact: async () => void (await sql`vacuum`.execute(db)),
      trouble: async () => (realPath === undefined ? undefined : diskTrouble(realPath)),
      ...(realPath !== undefined && { freeBytes: () => freeBytes(dirname(realPath)) }),
      async close() {
        await checkpoints?.close()
        await db.destroy()
        // Kysely closes a connection only after it has used it.
        sqlite?.close()
      },
    }
  } catch (error) {
    sqlite?.close()
    throw explainStart(file, error)
  }
}

function rejectOtherThanFile(file: string): void {
  const info = existsSync(file) ? statSync(file) : undefined
  if (info?.isDirectory()) {
    throw new DatabaseError(
      (option) =>
        `Database ${file} is a folder. Set ${option('db')} to a file, such as ${join(file, 'sandbox.db')}.`,
    )
  }
  if (info === undefined || info.isFile()) return
  throw new DatabaseError(
    (option) => `Database ${file} is a pipe or a device. Set ${option('db')} to a file.`,
  )
}

/** The free space for a user without special rights. Quotas may allow less. */
function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const beginTransaction = preparedCommand('begin')
const rollbackTransaction = preparedCommand('rollback')
const setSavepoint = preparedCommand('savepoint job')
const rollbackToSavepoint = preparedCommand('rollback to job')
const releaseSavepoint = preparedCommand('release job')

/** The first unit of work needs no savepoint, because the transaction contains nothing else. */
function groupIn(db: Kysely<Database>, state: WriterState): GroupCommit {
  let started = 0
  return {
    db,
    async begin() {
      started++
      state.beginUnit()
      if (started > 1) await setSavepoint(db)
    },
    async rollback() {
      state.rollBackUnit()
      if (started > 1) return rollbackToSavepoint(db)
      await rollbackTransaction(db)
      await beginTransaction(db)
    },
    async end() {
      if (started > 1) await releaseSavepoint(db)
    },
  }
}

function createTablesIfEmpty(sqlite: SQLite.Database): void {
  if (sqlite.prepare('select 1 from sqlite_master').get() !== undefined) return
  sqlite.transaction(() => sqliteSchema.statements.forEach((statement) => sqlite.exec(statement)))()
}

/**
 * Creates a missing file and its folder. Only the owner may read them, because requests of apps may be private. SQLite gives its
 * other files next to the database the same mode. An existing file is not opened here, because closing it would release the locks
 * of this process on it.
 */
function createFile(file: string): void {
  if (existsSync(file)) return accessSync(file, constants.R_OK | constants.W_OK)
  try {
    makeDataFolder(dirname(file))
  } catch (error) {
    throw creationError(
      file,
      error,
      codeOf(error) === 'EEXIST' ? `${dirname(file)} is not a folder` : undefined,
    )
  }
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw creationError(file, error)
    // Either another process has just created the file, or it is a link to a missing file, which SQLite would create with
    // permission for other users to read it.
    createLinked(file)
  }
}

function createLinked(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT'
    throw creationError(
      file,
      error,
      isMissing ? `it is a symbolic link to ${readlinkSync(file)}, whose folder is missing` : undefined,
    )
  }
}

const CREATION_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder, and none can be created',
  EACCES: 'this user may not create it',
  EPERM: 'this user may not create it',
}

function creationError(
  file: string,
  error: unknown,
  why = CREATION_PROBLEMS[codeOf(error)] ?? explainPathError(error),
): DatabaseError {
  if (fileTroubleOf(error) === DISK_FULL) return openError(file, DISK_FULL)
  return new DatabaseError(
    (option) =>
      `Database ${file} cannot be created: ${why}. Set ${option('db')} to a file in a writable folder.`,
  )
}

/** SQLite's default is four times as large, but no faster here, because nearly all data that is read or written is new. */
const PAGE_CACHE_KIB = 4_000

function explainStart(file: string, error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  const trouble = databaseTroubleOf(error) ?? fileTroubleOf(error)
  if (trouble) return openError(file, trouble)
  return new DatabaseError(
    missingBinary(error) ??
      ((option) =>
        `Database ${file} cannot be opened: ${messageOf(error)}. Move it away, or set ${option('db')} to another file.`),
  )
}

/** What to do if SQLite has no binary, or a binary for another version of Node. */
function missingBinary(error: unknown): string | undefined {
  const { folder } = installedSqlite()
  if (codeOf(error) === 'MODULE_NOT_FOUND' && messageOf(error).includes('better_sqlite3.node')) {
    return `There is no prebuilt SQLite for ${process.platform}-${process.arch}. To compile it, run \`npx node-gyp rebuild --release --force_build=1\` in ${folder}. It needs Python 3, make and a C++ compiler.`
  }
  const manager = packageManagerOf(folder)
  if (messageOf(error).startsWith('Could not locate the bindings file')) {
    return `SQLite was not built, because ${manager} did not run the install script of better-sqlite3. ${allowScript(manager)} in ${projectOf(folder)}.`
  }
  if (codeOf(error) !== 'ERR_DLOPEN_FAILED') return undefined
  return `SQLite was built for another Node. Run \`${rebuildCommand(manager)}\` in ${projectOf(folder)}.`
}

const MAX_CACHED_STATEMENTS = 500

class WriterDialect extends SqliteDialect {
  readonly #adapter: WriterAdapter

  constructor(sqlite: SQLite.Database, state: WriterState) {
    const database = cacheStatements(sqlite)
    super({ database })
    this.#adapter = Object.assign(new SqliteAdapter(), { state, run: createRun(database) })
  }

  override createAdapter(): WriterAdapter {
    return this.#adapter
  }
}

type PreparedStatement = Pick<SQLite.Statement<unknown[]>, 'reader' | 'all' | 'run' | 'iterate'>

interface CachedDatabase extends SqliteDatabase {
  prepare(text: string): PreparedStatement
}

/** Passes the values as separate arguments, because better-sqlite3 takes much longer to read them from an array. */
const createRun =
  (database: CachedDatabase): Run =>
  (text, parameters) => {
    const statement = database.prepare(text)
    if (statement.reader) return { rows: statement.all(...parameters) }
    const { changes, lastInsertRowid } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

/**
 * Keeps prepared statements, because Kysely would prepare a statement for every query. If the disk is full, SQLite itself rolls
 * back a transaction. Kysely's `rollback` would then fail and hide the cause, so it does nothing in this case.
 */
function cacheStatements(sqlite: SQLite.Database): CachedDatabase {
  const statements = new Map<string, PreparedStatement>()

  const rollback = sqlite.prepare('rollback')
  const rollbackIfOpen: PreparedStatement = {
    reader: false,
    all: () => [],
    run: () => (sqlite.inTransaction ? rollback.run() : { changes: 0, lastInsertRowid: 0 }),
    iterate: () => [][Symbol.iterator](),
  }

  return {
    prepare(text) {
      if (text === 'rollback') return rollbackIfOpen
      const cached = statements.get(text)
      if (cached) return cached
      if (statements.size >= MAX_CACHED_STATEMENTS) statements.clear()
      const statement = sqlite.prepare<unknown[]>(text)
      statements.set(text, statement)
      return statement
    },
    close: () => void sqlite.close(),
  }
}

const messageOf = reasonOf
