import SQLite from 'better-sqlite3'
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from '../../system/file-trouble.ts'
import { DatabaseProblem } from './database-error.ts'

/** How long a start waits for another program to close the file. */
const WAIT_MS = 500

const MAX_PAUSE_MS = 50

/**
 * Opens a database file that nobody else has open. Two sandboxes on one file would send every webhook twice.
 *
 * SQLite locks the file itself, not its name, so a link or a new name does not get around the lock. The lock ends with
 * the process, however that ends. While a sandbox runs, other programs can use the file, but no other sandbox can claim it.
 */
export async function claimFile(file: string): Promise<SQLite.Database> {
  const giveUpAt = performance.now() + WAIT_MS
  for (;;) {
    const sqlite = tryToClaim(file)
    if (sqlite) return sqlite
    if (performance.now() > giveUpAt) {
      throw new DatabaseProblem(
        `Database ${file} is in use by another sandbox or program. Stop that one, or pass --db with another file.`,
      )
    }
    // Two sandboxes that start together can lock each other out. Random pauses let one of them through.
    await pause(Math.random() * MAX_PAUSE_MS)
  }
}

function tryToClaim(file: string): SQLite.Database | undefined {
  let sqlite: SQLite.Database | undefined
  try {
    const claim = lockAlone(file)
    sqlite = new SQLite(file)
    // From its first query on, a connection in WAL mode holds a shared lock until it is closed.
    if (sqlite.pragma('user_version', { simple: true }) === claim) return sqlite
    // Another sandbox claimed the file between the two connections.
    sqlite.close()
  } catch (error) {
    sqlite?.close()
    if (!codeOf(error).startsWith('SQLITE_BUSY')) throw error
  }
  return undefined
}

/** Locks the file for a moment, which fails while anybody else has it open. Returns the number that it marks the file with. */
function lockAlone(file: string): number {
  const sqlite = new SQLite(file, { timeout: 0 })
  try {
    sqlite.pragma('locking_mode = exclusive')
    sqlite.exec('begin exclusive; commit')
    const isEmpty = refuseForeign(sqlite, file) === 0
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

/** Tables that every version of the sandbox has made. */
const OWN_TABLES = ['account', 'link', 'event']

/** Refuses a file with the tables of another program before anything is written to it. Returns how many tables there are. */
function refuseForeign(sqlite: SQLite.Database, file: string): number {
  // A start that was killed early leaves nothing but Kysely's own tables.
  const names = sqlite
    .prepare<[], string>(
      `select name from sqlite_master
       where name not like 'sqlite!_%' escape '!' and name not like 'kysely!_%' escape '!' order by rowid`,
    )
    .pluck()
    .all()
  if (names.length === 0 || OWN_TABLES.every((name) => names.includes(name))) return names.length
  throw new DatabaseProblem(
    `Database ${file} belongs to another program: it contains ${names[0]}, and not the tables of a sandbox. Pass --db with another file.`,
  )
}
