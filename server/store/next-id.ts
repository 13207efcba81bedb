import { sql, type RawBuilder } from 'kysely'
import type { MetaTable } from './schema.ts'

/** One more than the highest id that the table has ever had. SQLite itself would reuse the id of a deleted row. */
export const nextId = (table: 'delivery' | 'fault', deleted: MetaTable['key']): RawBuilder<number> =>
  sql<number>`(select 1 + coalesce(max("id"), 0) from (
    select max("id") as "id" from ${sql.table(table)}
    union all select cast("value" as bigint) from "meta" where "key" = ${sql.lit(deleted)}
  ) as "known")`
