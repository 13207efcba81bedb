import { CompiledQuery, sql, type Compilable, type Kysely, type QueryResult } from 'kysely'
import { CachingAdapter } from './read-cache.ts'
import type { Database } from '../schema.ts'

/** Stands in the query for a value that each run brings. */
class Param {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query that differs between runs only in its values. It is built once, from the names of the values of the first run,
 * so each run must bring the same names. `build` gets placeholders instead of values, and must only pass them on.
 *
 * To build a query takes Kysely longer than SQLite takes to run it. Within a transaction the query runs at once, past
 * Kysely. Use this for the few queries of every call, and for no others.
 */
export function prepared<Values extends object, Row>(
  build: (db: Kysely<Database>, values: Values) => Compilable<Row>,
): (db: Kysely<Database>, values: Values) => Promise<QueryResult<Row>> {
  let query: CompiledQuery<Row> | undefined
  return async (db, values) => {
    query ??= build(db, placeholdersFor(values)).compile()
    const parameters = query.parameters.map((one) =>
      one instanceof Param ? values[one.name as keyof Values] : one,
    )
    const { adapter } = db.getExecutor()
    if (!db.isTransaction || !(adapter instanceof CachingAdapter)) {
      return db.executeQuery({ ...query, parameters })
    }
    return adapter.run(query.sql, parameters) as QueryResult<Row>
  }
}

const placeholdersFor = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.keys(values).map((name) => [name, new Param(name)])) as Values

/** A prepared statement without values. */
export function preparedCommand(text: string): (db: Kysely<Database>) => Promise<unknown> {
  const run = prepared<object, unknown>(() => ({ compile: () => CompiledQuery.raw(text) }))
  return (db) => run(db, {})
}

/**
 * The limit of a query for one row, as a part of the statement. SQLite plans a statement anew for each value that is
 * bound to a limit or a `like` pattern, which takes ten times as long as the query.
 */
export const LIMIT_ONE = sql.lit(1)
