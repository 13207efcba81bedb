import type SQLite from 'better-sqlite3'
import { createRequire } from 'node:module'
import { chooseSqlite, findInstalledSqlite, type InstalledSqlite } from './installed-sqlite.ts'

let chosen: InstalledSqlite | undefined

/**
 * Returns the installed SQLite for this version of Node. If there is none, throws a `DatabaseError` that says what to install. An
 * `import` could load a version that crashes the process.
 */
export const installedSqlite = (): InstalledSqlite =>
  (chosen ??= chooseSqlite(process.versions, findInstalledSqlite()))

const loadSqlite = (): typeof SQLite =>
  createRequire(import.meta.url)(installedSqlite().folder) as typeof SQLite

/** Opens a database with SQLite. */
export const connectSqlite = (...args: ConstructorParameters<typeof SQLite>): SQLite.Database =>
  new (loadSqlite())(...args)
