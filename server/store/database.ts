import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely'
import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { cannotOpen, codeOf, DatabaseProblem, troubleOf } from './database-problem.ts'
import { migrate } from './migrate.ts'
import { effectOf, Recall, RecallingAdapter, type Effect, type Run } from './recall.ts'
import type { Database } from './schema.ts'
import { Snapshots } from './snapshots.ts'

export interface OpenDatabase {
  readonly db: Kysely<Database>
  readonly snapshots: Snapshots
  close(): Promise<void>
}

/** Opens the database file, or `:memory:`, and brings it to the latest schema. */
export async function openDatabase(file: string): Promise<OpenDatabase> {
  if (existsSync(file) && statSync(file).isDirectory()) {
    throw new DatabaseProblem(
      `Database ${file} is a folder. Pass --db with a file, such as ${join(file, 'sandbox.db')}.`,
    )
  }
  const lock = file === ':memory:' ? undefined : lockFile(file)
  try {
    const sqlite = open(file)
    const recall = new Recall()
    const db = new Kysely<Database>({ dialect: new RecallingDialect(sqlite, recall) })
    await bringUp(db, file)
    return {
      db,
      snapshots: new Snapshots(sqlite, {
        folder: file === ':memory:' ? undefined : `${file}.snapshots`,
        beforeChange: () => recall.notice('change'),
      }),
      async close() {
        await db.destroy()
        lock?.close()
      },
    }
  } catch (error) {
    lock?.close()
    if (lock) rmSync(lockName(file), { force: true })
    throw error
  }
}

const lockName = (file: string): string => `${file}.lock`

/**
 * Two sandboxes on one file would send every webhook twice. The lock is SQLite's own, on a file beside the
 * database, so it ends with the process however that ends, and other programs can still read the database.
 */
function lockFile(file: string): SQLite.Database {
  const name = lockName(file)
  try {
    makeFolder(dirname(file), 0o700)
    createPrivate(name)
    const lock = new SQLite(name, { timeout: 0 })
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    if (codeOf(error).startsWith('SQLITE_BUSY')) {
      throw new DatabaseProblem(
        `Database ${file} is in use by another sandbox. Stop that one, or pass --db with another file.`,
      )
    }
    refuseUnbuilt(error)
    const why = codeOf(error) === 'EEXIST' ? `${dirname(file)} is no folder` : messageOf(error)
    throw new DatabaseProblem(
      `Database ${file} cannot be created: ${why}. Pass --db with a file in a writable folder.`,
    )
  }
}

/**
 * What apps under test send may be private: a file that is new is for its owner alone, and what SQLite puts beside it is
 * as that is. One that is there is not opened, as closing it again would give up a lock that this process has on it.
 */
function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch {
    // It is there, or SQLite says why it cannot be.
  }
}

/** One large unit of work, such as a restored snapshot, would leave the write-ahead log as large for ever. */
const MOST_LOG_BYTES = 4 * 1024 * 1024

/** Nearly all that is read or written is new. Four times as much, which is what it would take, makes nothing quicker. */
const CACHE_KIB = 4_000

function open(file: string): SQLite.Database {
  let sqlite: SQLite.Database | undefined
  try {
    if (file !== ':memory:') createPrivate(file)
    sqlite = new SQLite(file)
    sqlite.pragma('journal_mode = WAL')
    sqlite.pragma('synchronous = NORMAL')
    sqlite.pragma('foreign_keys = ON')
    sqlite.pragma(`journal_size_limit = ${MOST_LOG_BYTES}`)
    sqlite.pragma(`cache_size = -${CACHE_KIB}`)
    // What can only be read is found out by writing.
    sqlite.exec('begin immediate; commit')
    return sqlite
  } catch (error) {
    sqlite?.close()
    refuseUnbuilt(error)
    const trouble = troubleOf(error)
    if (trouble) throw cannotOpen(file, trouble)
    throw new DatabaseProblem(
      `Database ${file} cannot be opened: ${messageOf(error)}. Move it away, or pass --db with another file.`,
    )
  }
}

/** Package managers that run no install scripts unasked leave SQLite without its native part. */
function refuseUnbuilt(error: unknown): void {
  const isMissing = messageOf(error).startsWith('Could not locate the bindings file')
  if (!isMissing && codeOf(error) !== 'ERR_DLOPEN_FAILED') return
  throw new DatabaseProblem(
    `SQLite ${isMissing ? 'was not built' : 'was built for another Node'}. Run \`npm rebuild better-sqlite3\`, or allow its install script (\`pnpm approve-builds\`, or \`allowScripts\` in package.json for npm) and install again.`,
  )
}

async function bringUp(db: Kysely<Database>, file: string): Promise<void> {
  try {
    await migrate(db)
  } catch (error) {
    await db.destroy()
    const trouble = troubleOf(error)
    if (trouble) throw cannotOpen(file, trouble)
    throw new DatabaseProblem(
      /previously executed migration/.test(messageOf(error))
        ? `Database ${file} was written by a newer version. Update paylink-sandbox, or pass --db with another file.`
        : `Database ${file} cannot be migrated: ${messageOf(error)}. Move it away, or pass --db with another file.`,
    )
  }
}

const MOST_STATEMENTS = 500

class RecallingDialect extends SqliteDialect {
  readonly #adapter: RecallingAdapter

  constructor(sqlite: SQLite.Database, recall: Recall) {
    const database = preparingOnce(sqlite, recall)
    super({ database })
    this.#adapter = new RecallingAdapter(recall, runningOn(database))
  }

  override createAdapter(): RecallingAdapter {
    return this.#adapter
  }
}

const runningOn =
  (database: SqliteDatabase): Run =>
  (text, parameters) => {
    const statement = database.prepare(text)
    if (statement.reader) return { rows: statement.all(parameters) }
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

/**
 * Kysely prepares a statement for every query, right before it runs; this keeps them, as the same few come again and again.
 *
 * On a full disk SQLite takes a transaction back by itself. Kysely's own `rollback` would fail then, and hide why.
 */
function preparingOnce(sqlite: SQLite.Database, recall: Recall): SqliteDatabase {
  const statements = new Map<string, { readonly statement: SqliteStatement; readonly effect: Effect }>()

  const rollback = sqlite.prepare('rollback')
  const rollbackIfOpen: SqliteStatement = {
    reader: false,
    all: () => [],
    run: () => (sqlite.inTransaction ? rollback.run() : { changes: 0, lastInsertRowid: 0 }),
    iterate: () => [][Symbol.iterator](),
  }

  function known(text: string) {
    const found = statements.get(text)
    if (found) return found
    if (statements.size >= MOST_STATEMENTS) statements.clear()
    const made = { statement: sqlite.prepare<unknown[]>(text), effect: effectOf(text) }
    statements.set(text, made)
    return made
  }
  return {
    prepare(text) {
      const { statement, effect } = known(text)
      recall.notice(effect)
      return text === 'rollback' ? rollbackIfOpen : statement
    },
    close: () => void sqlite.close(),
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
