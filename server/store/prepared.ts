import { CompiledQuery, sql, type Compilable, type Insertable, type Kysely, type QueryResult } from 'kysely'
import type { Database } from './schema.ts'
import { writerAdapterOf } from './writer-state.ts'

/** A placeholder for a value that each run of a query passes. */
class Param {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query that differs between runs only in its values. The first run builds it from the names of the values, so each run must
 * pass the same names. `build` gets placeholders instead of values, and must only pass them on. Otherwise, Kysely would need more
 * time to build a query than SQLite to run it. In a transaction of SQLite, the query runs directly, without Kysely. Use this only
 * for the few queries that every call makes.
 */
export function prepared<Values extends object, Row>(
  build: (db: Kysely<Database>, values: Values) => Compilable<Row>,
): (db: Kysely<Database>, values: Values) => Promise<QueryResult<Row>> {
  const bind = compileOnce(build)
  return async (db, values) => execute(db, bind(db, values))
}

/**
 * Prepares a write whose result is not needed. It must either fail or change what it should. It may not fail until the commit.
 */
export function preparedWrite<Values extends object>(
  build: (db: Kysely<Database>, values: Values) => Compilable<unknown>,
  insertsInto?: keyof Database,
): (db: Kysely<Database>, values: Values) => Promise<void> {
  const bind = compileOnce(build)
  return async (db, values) => {
    const query = bind(db, values)
    if (!writerAdapterOf(db).defer?.(db, query.sql, query.parameters, insertsInto)) await execute(db, query)
  }
}

/** Prepares the insert of one row. */
export const preparedInsert = <Table extends keyof Database>(
  table: Table,
): ((db: Kysely<Database>, row: Insertable<Database[Table]>) => Promise<void>) =>
  preparedWrite((db, row) => db.insertInto<keyof Database>(table).values(row as never), table)

function compileOnce<Values extends object, Row>(
  build: (db: Kysely<Database>, values: Values) => Compilable<Row>,
): (db: Kysely<Database>, values: Values) => CompiledQuery<Row> {
  /** A query for each engine, because the engines write parameters differently. */
  const queries = new Map<unknown, CompiledQuery<Row>>()
  return (db, values) => {
    const { constructor: engine } = writerAdapterOf(db)
    let query = queries.get(engine)
    if (!query) queries.set(engine, (query = build(db, placeholdersFor(values)).compile()))
    const parameters = query.parameters.map((one) =>
      one instanceof Param ? values[one.name as keyof Values] : one,
    )
    // The fields are copied one by one, because in V8 a spread is much slower.
    return { query: query.query, queryId: query.queryId, sql: query.sql, parameters }
  }
}

async function execute<Row>(db: Kysely<Database>, query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  const { run } = writerAdapterOf(db)
  if (!db.isTransaction || !run) return db.executeQuery(query)
  return run(query.sql, query.parameters) as QueryResult<Row>
}

const placeholdersFor = <Values extends object>(values: Values): Values =>
  Object.fromEntries(Object.keys(values).map((name) => [name, new Param(name)])) as Values

/** Prepares a statement that has no parameters. */
export function preparedCommand(text: string): (db: Kysely<Database>) => Promise<void> {
  const run = prepared<object, unknown>(() => ({ compile: () => CompiledQuery.raw(text) }))
  return async (db) => void (await run(db, {}))
}

/**
 * The limit of one row, as a part of the statement. If the limit or a `like` pattern were a value, SQLite would plan the
 * statement again for each value, which takes ten times as long as the query.
 */
export const LIMIT_ONE = sql.lit(1)
