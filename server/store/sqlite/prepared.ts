import { CompiledQuery, sql, type Compilable, type Kysely, type QueryResult } from 'kysely'
import { CachingAdapter } from './read-cache.ts'
import type { Database } from '../schema.ts'

/** Stands for a value that is known only when the query is run. */
class Param {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}

/** Gives what stands for a value in the query. */
export type Params<Values> = <Name extends keyof Values>(name: Name) => Values[Name]

/**
 * A query of which nothing but values ever changes. It is built once, as building takes longer than SQLite takes to
 * run it, and within a transaction runs past Kysely: for what every call asks, and nothing else.
 */
export function prepared<Values extends object, Row>(
  build: (db: Kysely<Database>, place: Params<Values>) => Compilable<Row>,
): (db: Kysely<Database>, values: Values) => Promise<QueryResult<Row>> {
  let known: CompiledQuery<Row> | undefined
  return async (db, values) => {
    known ??= build(db, (name) => new Param(name) as never).compile()
    const parameters = known.parameters.map((one) =>
      one instanceof Param ? values[one.name as keyof Values] : one,
    )
    const { adapter } = db.getExecutor()
    if (!db.isTransaction || !(adapter instanceof CachingAdapter)) {
      return db.executeQuery({ ...known, parameters })
    }
    return adapter.run(known.sql, parameters) as QueryResult<Row>
  }
}

/** The same of a statement that has no values. */
export function preparedCommand(text: string): (db: Kysely<Database>) => Promise<unknown> {
  const run = prepared<object, unknown>(() => ({ compile: () => CompiledQuery.raw(text) }))
  return (db) => run(db, {})
}

/**
 * The limit of a query for one row. SQLite plans by a limit, and by what something is to be like: for each value that
 * is bound there it plans anew, which takes ten times as long as the query, so those are written out.
 */
export const ONE = sql.lit(1)
