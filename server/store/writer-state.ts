import type { DialectAdapter, Kysely, QueryResult } from 'kysely'
import type { Database } from './schema.ts'

type Table = keyof Database

/** Enough for a few hundred accounts, which parallel tests may create. */
const MAX_ENTRIES = 5_000

/** Results for longer keys are not kept. API keys are shorter, and callers without a valid key could fill the memory. */
const MAX_KEY_LENGTH = 200

type Argument = string | number | null | undefined

/** A key for the arguments of a function. Different arguments have different keys. Much faster than JSON. */
function keyOf(args: readonly Argument[]): Argument {
  if (args.length === 1) return args[0]
  let key = ''
  for (const one of args) key += typeof one === 'string' ? `${one.length}=${one}` : `${one};`
  return key
}

/**
 * What this process knows about the database without reading it. This is possible because nothing else writes: SQLite has one
 * process, and of several processes on PostgreSQL only the leader writes.
 *
 * - Results of reads that are equal for all readers (`cached`). They are forgotten when their table changes. While a group of
 *   units of work changes the table, results are read from the database, so that nobody gets uncommitted data.
 * - Values that the group continues from, such as the newest id (`get`, `set`). A rollback restores them.
 *
 * Everything is forgotten if a group fails, or if someone else may have written: after a lost connection, a reset or a restore.
 * A repository calls `changed` before it writes to a table whose results or values are kept.
 */
export class WriterState {
  /** Contains promises instead of values, so that a hit need not create a promise. */
  #results = new Map<Table, Map<unknown, Map<Argument, Promise<unknown>>>>()
  #resultCount = 0
  /** How often a table has changed. */
  readonly #changes = new Map<Table, number>()
  /** The tables that the current group has changed. */
  readonly #changing = new Set<Table>()
  /** A value of `undefined` means that it is not known. */
  readonly #values = new Map<Table, Map<string, unknown>>()
  /** The values before the current unit of work changed them. */
  readonly #before: [table: Table, key: string, value: unknown][] = []
  /** The handle of the current group. */
  #group: Kysely<Database> | undefined

  beginGroup(db: Kysely<Database>): void {
    this.#group = db
  }

  /** Begins a unit of work. Keeps the changes of earlier units in the group. */
  beginUnit(): void {
    this.#before.length = 0
  }

  /** Restores the values after the current unit of work was rolled back. */
  rollBackUnit(): void {
    for (const [table, key, value] of this.#before.splice(0).toReversed()) {
      // If the table was changed in between, nothing is known about it.
      this.#values.get(table)?.set(key, value)
    }
  }

  /** Ends the group after its commit. */
  endGroup(): void {
    this.#group = undefined
    this.#changing.clear()
  }

  forget(): void {
    this.endGroup()
    this.#forgetResults()
    this.#values.clear()
    for (const table of this.#changes.keys()) this.#countChange(table)
  }

  /** Whether a handle belongs to the current group. Only the group may use and change its values. */
  isWriter(db: Kysely<Database>): boolean {
    return this.#group === db
  }

  /** Forgets the results and values of a table, because a statement is about to change it. */
  changed(db: Kysely<Database>, table: Table): void {
    if (this.isWriter(db)) this.#changing.add(table)
    const results = this.#results.get(table)
    for (const resultsByKey of results?.values() ?? []) this.#resultCount -= resultsByKey.size
    this.#results.delete(table)
    this.#values.delete(table)
    this.#countChange(table)
  }

  get<Value>(table: Table, key: string): Value | undefined {
    return this.#values.get(table)?.get(key) as Value | undefined
  }

  /** Whether a value was set, even if it is no longer known. */
  has(table: Table, key: string): boolean {
    return this.#values.get(table)?.has(key) ?? false
  }

  set(table: Table, key: string, value: unknown): void {
    let values = this.#values.get(table)
    if (!values) this.#values.set(table, (values = new Map()))
    if (values.size >= MAX_ENTRIES) values.clear()
    this.#before.push([table, key, values.get(key)])
    values.set(key, value)
  }

  read<Result>(
    table: Table,
    read: unknown,
    args: readonly Argument[],
    run: () => Promise<Result>,
  ): Promise<Result> {
    if (this.#changing.has(table)) return run()
    const key = keyOf(args)
    if (typeof key === 'string' && key.length > MAX_KEY_LENGTH) return run()
    const cached = this.#results.get(table)?.get(read)?.get(key)
    return cached ? (cached as Promise<Result>) : this.#readAndKeep(table, read, key, run)
  }

  async #readAndKeep<Result>(
    table: Table,
    read: unknown,
    key: Argument,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const before = this.#changesOf(table)
    const result = await run()
    // While this read waited for the connection, a write may have changed the result.
    if (!this.#changing.has(table) && this.#changesOf(table) === before) this.#keep(table, read, key, result)
    return result
  }

  #keep(table: Table, read: unknown, key: Argument, result: unknown): void {
    if (this.#resultCount >= MAX_ENTRIES) this.#forgetResults()
    const results = this.#results.get(table) ?? new Map<unknown, Map<string, Promise<unknown>>>()
    const resultsByKey = results.get(read) ?? new Map<Argument, Promise<unknown>>()
    this.#results.set(table, results.set(read, resultsByKey.set(key, Promise.resolve(result))))
    this.#resultCount++
  }

  #forgetResults(): void {
    this.#results = new Map()
    this.#resultCount = 0
  }

  #changesOf(table: Table): number {
    const count = this.#changes.get(table)
    // Adds the table, so that `forget` also counts as a change of it.
    if (count === undefined) this.#changes.set(table, 0)
    return count ?? 0
  }

  #countChange(table: Table): void {
    this.#changes.set(table, this.#changesOf(table) + 1)
  }
}

/** Runs a statement on the only connection. Only the code that has the connection may call this. */
export type Run = (text: string, parameters: readonly unknown[]) => QueryResult<unknown>

/**
 * Postpones a write of the current group, if the handle is the group's handle. Returns whether it was postponed. `insertsInto` is
 * the table, if the write only inserts one row.
 */
export type Defer = (
  db: Kysely<Database>,
  text: string,
  parameters: readonly unknown[],
  insertsInto?: keyof Database,
) => boolean

/** Kysely's adapter, with the state of this process. All handles of a database share it, including those of transactions. */
export interface WriterAdapter extends DialectAdapter {
  readonly state: WriterState
  /** `undefined` if statements must be run by Kysely. */
  readonly run?: Run
  /** Set if a write can wait for the next read or the commit, so that both need only one message to the server. */
  readonly defer?: Defer
}

/** The adapter's state. Empty for a database that a test has opened itself. */
export const writerAdapterOf = (db: Kysely<Database>): Partial<WriterAdapter> => db.getExecutor().adapter

/** The state for the unit of work with this handle. `undefined` for any other handle, which must read from the database. */
export function stateOf(db: Kysely<Database>): WriterState | undefined {
  const { state } = writerAdapterOf(db)
  return state?.isWriter(db) ? state : undefined
}

/** Must be called before each write to a table whose results or values are kept. */
export const changed = (db: Kysely<Database>, table: Table): void =>
  writerAdapterOf(db).state?.changed(db, table)

/** Keeps the results of a function that reads only one table. All callers share a result, so they must not change it. */
export const cached =
  <Args extends readonly Argument[], Result>(
    table: Table,
    read: (db: Kysely<Database>, ...args: Args) => Promise<Result>,
  ): ((db: Kysely<Database>, ...args: Args) => Promise<Result>) =>
  (db, ...args) => {
    const { state } = writerAdapterOf(db)
    return state ? state.read(table, read, args, () => read(db, ...args)) : read(db, ...args)
  }
