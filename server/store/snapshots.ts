import SQLite from 'better-sqlite3'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SNAPSHOT_NAME } from '../domain/snapshot-name.ts'
import type { Snapshot } from '../domain/snapshot.ts'
import type { Instant } from '../domain/time.ts'

/** What a snapshot tells about itself. */
interface Inside {
  readonly takenAt: Instant | null
  readonly epoch: string | null
  readonly problem: string | null
}

const ENDING = '.db'

/**
 * Copies of the whole database, each a SQLite file of its own: in a folder beside the database, or in memory
 * where that is. Taking and restoring one belongs into a unit of work, on whose connection both are done.
 */
export class Snapshots {
  readonly #sqlite: SQLite.Database
  readonly #folder: string | undefined
  readonly #inMemory = new Map<string, { readonly bytes: Buffer; readonly inside: Inside }>()

  constructor(sqlite: SQLite.Database, folder: string | undefined) {
    this.#sqlite = sqlite
    this.#folder = folder
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
  take(name: string, at: Instant): void {
    this.#sqlite.prepare(`insert or replace into meta values ('taken', ?)`).run(at)
    const bytes = this.#sqlite.serialize()
    this.#sqlite.prepare(`delete from meta where key = 'taken'`).run()
    // A write-ahead log stays behind, and a copy that asked for one could not be opened alone.
    bytes.fill(1, 18, 20)

    if (this.#folder === undefined) {
      this.#inMemory.set(name, {
        bytes,
        inside: { takenAt: at, epoch: epochIn(this.#sqlite), problem: null },
      })
    } else {
      mkdirSync(this.#folder, { recursive: true })
      const path = this.#path(name)
      writeFileSync(`${path}.new`, bytes)
      renameSync(`${path}.new`, path)
    }
  }

  /** Puts every row back as it was. Tables refer to those made before them. */
  restore(name: string): void {
    const source = this.#open(name)
    try {
      const tables = tablesOf(source)
      for (const table of tables.toReversed()) this.#sqlite.prepare(`delete from "${table}"`).run()
      for (const table of tables) copy(source, this.#sqlite, table)
      this.#sqlite.prepare(`delete from meta where key in ('taken', 'undo')`).run()
    } finally {
      source.close()
    }
  }

  remove(name: string): void {
    this.#inMemory.delete(name)
    if (this.#folder !== undefined) rmSync(this.#path(name), { force: true })
  }

  #names(): string[] {
    if (this.#folder === undefined) return [...this.#inMemory.keys()].toSorted()
    const files = existsSync(this.#folder) ? readdirSync(this.#folder) : []
    return files
      .filter((file) => file.endsWith(ENDING))
      .map((file) => file.slice(0, -ENDING.length))
      .filter((name) => SNAPSHOT_NAME.test(name))
      .toSorted()
  }

  #show(name: string): Snapshot {
    const { takenAt, problem } = this.#inside(name)
    return { name, takenAt, size: this.#size(name), problem }
  }

  #size(name: string): number {
    return this.#inMemory.get(name)?.bytes.length ?? statSync(this.#path(name)).size
  }

  #inside(name: string): Inside {
    const kept = this.#inMemory.get(name)
    if (kept) return kept.inside
    try {
      const source = this.#open(name)
      try {
        const [theirs, ours] = [schemaOf(source), schemaOf(this.#sqlite)]
        return {
          takenAt: metaIn(source, 'taken'),
          epoch: epochIn(source),
          problem:
            theirs === ours
              ? null
              : `it has database schema ${theirs}, and this version needs schema ${ours}`,
        }
      } finally {
        source.close()
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return { takenAt: null, epoch: null, problem: `it is not a snapshot of a sandbox: ${reason}` }
    }
  }

  #open(name: string): SQLite.Database {
    return new SQLite(this.#inMemory.get(name)?.bytes ?? this.#path(name), { readonly: true })
  }

  #path(name: string): string {
    return join(this.#folder ?? '', `${name}${ENDING}`)
  }
}

const metaIn = (db: SQLite.Database, key: string): string | null =>
  (db.prepare('select value from meta where key = ?').pluck().get(key) as string | undefined) ?? null

const epochIn = (db: SQLite.Database): string | null => metaIn(db, 'epoch')

/** The newest migration stands for those before it. */
const schemaOf = (db: SQLite.Database): string =>
  db.prepare('select max(name) from kysely_migration').pluck().get() as string

/** Our own tables, in the order they were made. */
const tablesOf = (db: SQLite.Database): string[] =>
  db
    .prepare(
      `select name from sqlite_master where type = 'table'
       and name not like 'sqlite!_%' escape '!' and name not like 'kysely!_%' escape '!' order by rowid`,
    )
    .pluck()
    .all() as string[]

function copy(source: SQLite.Database, target: SQLite.Database, table: string): void {
  const rows = source.prepare<[], unknown[]>(`select * from "${table}"`).raw()
  const columns = rows.columns().map(({ name }) => `"${name}"`)
  const places = columns.map(() => '?').join(', ')
  const insert = target.prepare(`insert into "${table}" (${columns.join(', ')}) values (${places})`)
  for (const row of rows.iterate()) insert.run(row)
}
