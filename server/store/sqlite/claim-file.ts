import type SQLite from 'better-sqlite3'
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from '../../platform/system/file-trouble.ts'
import { createSchema, findForeignTable, READ_VERSION } from '../create-schema.ts'
import { DatabaseError } from '../database-error.ts'
import { connectSqlite } from './load-sqlite.ts'

export const sqliteSchema = createSchema()

/** How long a sandbox that starts waits for another program to close the file. */
const WAIT_MS = 500

const MAX_PAUSE_MS = 50

/**
 * Opens a database file that no other process has open. Two sandboxes on one file would send every webhook twice. A sandbox that
 * starts locks the file exclusively for a moment, and writes a random number. If another sandbox starts right after it, the
 * number is different. The sandbox then switches to WAL mode, where its shared lock prevents others from locking the file. SQLite
 * locks the file itself, so the lock cannot be bypassed by a link or a different name, and ends with the process. While a sandbox
 * runs, other programs can use the file, but no sandbox can start while another program has the file open.
 */
export async function claimFile(file: string): Promise<SQLite.Database> {
  const deadline = performance.now() + WAIT_MS
  for (;;) {
    const sqlite = tryToClaim(file)
    if (sqlite) return sqlite
    if (performance.now() > deadline) {
      throw new DatabaseError(
        (option) =>
          `Database ${file} is in use by another sandbox or program. Stop the other one, or set ${option('db')} to another file.`,
      )
    }
    // Two sandboxes that start at the same time may block each other. With random pauses, one of them succeeds.
    await pause(Math.random() * MAX_PAUSE_MS)
  }
}

function tryToClaim(file: string): SQLite.Database | undefined {
  let sqlite: SQLite.Database | undefined
  try {
    const claim = lockExclusively(file)
    sqlite = connectSqlite(file)
    // From its first query on, a connection in WAL mode holds a shared lock until it is closed.
    if (sqlite.pragma('user_version', { simple: true }) === claim) return sqlite
    // Another sandbox has claimed the file between the two connections.
    sqlite.close()
  } catch (error) {
    sqlite?.close()
    if (!codeOf(error).startsWith('SQLITE_BUSY')) throw error
  }
  return undefined
}

/**
 * Locks the file for a moment. Fails if any other program has it open. Returns the random number that it has written to the file.
 */
function lockExclusively(file: string): number {
  const sqlite = connectSqlite(file, { timeout: 0 })
  try {
    sqlite.pragma('locking_mode = exclusive')
    sqlite.exec('begin exclusive; commit')
    const isEmpty = rejectForeign(sqlite, file)
    // An empty file has nothing to lose in a power failure.
    if (isEmpty) sqlite.pragma('synchronous = off')
    sqlite.pragma('journal_mode = wal')
    const claim = randomInt(1, 2 ** 31 - 1)
    sqlite.pragma(`user_version = ${claim}`)
    return claim
  } finally {
    sqlite.close()
  }
}

/** Rejects a file of another program or version before anything is written to it. Returns whether the file has no tables. */
function rejectForeign(sqlite: SQLite.Database, file: string): boolean {
  const names = sqlite
    .prepare<[], string>(
      `select name from sqlite_master where name not like 'sqlite!_%' escape '!' order by rowid`,
    )
    .pluck()
    .all()
  if (names.length === 0) return true
  if (versionOf(sqlite, names) === sqliteSchema.version) return false
  const foreign = findForeignTable(names)
  if (foreign === undefined) {
    throw new DatabaseError(
      (option) =>
        `Database ${file} was written by another version of paylink-sandbox. Move it away, or set ${option('db')} to another file.`,
    )
  }
  throw new DatabaseError(
    (option) =>
      `Database ${file} cannot be opened: it contains ${foreign}, which is not a table of the sandbox. Set ${option('db')} to another file.`,
  )
}

const versionOf = (sqlite: SQLite.Database, names: readonly string[]): unknown =>
  names.includes('schemaVersion') ? sqlite.prepare(READ_VERSION).pluck().get() : undefined
