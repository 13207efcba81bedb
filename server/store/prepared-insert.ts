import { sql, SqliteAdapter, type InsertQueryBuilder, type Kysely } from 'kysely'
import { prepared } from './prepared.ts'
import type { Database } from './schema.ts'

/** Prepares an insert of one row that returns its id. */
export function preparedInsert<Row extends object, Table extends 'delivery' | 'event'>(
  id: 'id' | 'seq',
  build: (db: Kysely<Database>, row: Row) => InsertQueryBuilder<Database, Table, object>,
): (db: Kysely<Database>, row: Row) => Promise<number> {
  const insert = prepared((db, row: Row) => {
    const query = build(db, row)
    // SQLite reports the id of an inserted row without `returning`, in half the time.
    const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
    return isSqlite ? query.$castTo<{ id: number }>() : query.returning(sql<number>`${sql.ref(id)}`.as('id'))
  })
  return async (db, row) => {
    const { insertId, rows } = await insert(db, row)
    return Number(insertId ?? rows[0]!.id)
  }
}
