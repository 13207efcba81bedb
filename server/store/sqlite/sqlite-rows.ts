import type SQLite from 'better-sqlite3'
import { copyRows, tablesOf } from '../snapshots/copy-rows.ts'
import { countLinks, readEpoch } from '../snapshots/snapshot-metadata.ts'
import type { SnapshotRows } from '../snapshots/snapshots.ts'

/** Copies the rows of a SQLite database by its only connection. `beforeChange` tells the cache, which sees only Kysely's statements. */
export const sqliteRows = (sqlite: SQLite.Database, beforeChange: () => void): SnapshotRows => ({
  async save(at) {
    sqlite.prepare(`insert or replace into meta values ('taken', ?)`).run(at)
    const bytes = sqlite.serialize()
    sqlite.prepare(`delete from meta where key = 'taken'`).run()
    // Turns off WAL mode in the header: SQLite could not open the copy without its write-ahead log.
    bytes.fill(1, 18, 20)
    return {
      bytes,
      metadata: {
        takenAt: at,
        epoch: readEpoch(sqlite),
        links: countLinks(sqlite),
        problem: null,
        isOlder: false,
      },
    }
  },
  async restore(source) {
    const tables = tablesOf(sqlite)
    beforeChange()
    // Deletes in reverse order, because rows refer only to rows of earlier tables.
    for (const table of tables.toReversed()) sqlite.prepare(`delete from "${table}"`).run()
    for (const table of tables) for (const _ of copyRows(source, sqlite, table));
    sqlite.prepare(`delete from meta where key in ('taken', 'undo')`).run()
  },
})
