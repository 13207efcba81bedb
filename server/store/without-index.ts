import { sql, type RawBuilder } from 'kysely'

/** A text column without its index, because SQLite does not use an index for a cast. The cast has no other effect. */
export const withoutIndex = <Value>(column: string): RawBuilder<Value> =>
  sql<Value>`cast(${sql.ref(column)} as text)`
