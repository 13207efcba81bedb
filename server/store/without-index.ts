import { sql, type RawBuilder } from 'kysely'

/** A text column for which SQLite uses no index. The cast has no other effect. PostgreSQL ignores it. */
export const withoutIndex = <Value>(column: string): RawBuilder<Value> =>
  sql<Value>`cast(${sql.ref(column)} as text)`
