import { SqliteAdapter, type Kysely, type QueryResult } from 'kysely'
import type { Database } from '../schema.ts'

/** The tables that nearly every call reads and hardly any call changes. */
const CACHED_TABLES: ReadonlySet<string> = new Set([
  'account',
  'behavior',
  'idBlock',
  'fault',
  'meta',
  'egressRule',
] satisfies (keyof Database)[])

/** Enough for a few hundred accounts, the size of a database that parallel tests share. */
const MAX_CACHED_RESULTS = 5_000

/** Results for longer keys are not cached: no such key exists, and anybody can send one. */
const MAX_KEY_LENGTH = 200

type Argument = string | number | null | undefined

/** Nearly every read has one text as its argument, which needs no JSON. No JSON text begins with `=`. */
function keyOf(args: readonly Argument[]): string {
  const [first] = args
  return args.length === 1 && typeof first === 'string' ? `=${first}` : JSON.stringify(args)
}

/**
 * Caches results of reads from `CACHED_TABLES` until a statement writes to one of these tables. From that statement to the
 * end of the transaction every read goes to the database, so the cache never holds uncommitted data.
 *
 * `open-database.ts` reports every statement by its text. Code that writes without Kysely must report its writes. The
 * cache does not notice what another program writes to the file.
 */
export class ReadCache {
  readonly #results = new Map<unknown, Map<string, unknown>>()
  #size = 0
  #generation = 0
  #isChanging = false

  /** Must be called before each statement, with its effect. */
  notice(effect: Effect): void {
    if (effect === 'end') this.#isChanging = false
    if (effect !== 'change' || this.#isChanging) return
    this.#isChanging = true
    this.#clear()
  }

  async get<Result>(read: unknown, args: readonly Argument[], run: () => Promise<Result>): Promise<Result> {
    if (this.#isChanging) return run()
    const key = keyOf(args)
    if (key.length > MAX_KEY_LENGTH) return run()
    const known = this.#results.get(read)
    if (known?.has(key)) return known.get(key) as Result
    const before = this.#generation
    const result = await run()
    // While this read waited for the connection, a write may have made its result stale.
    if (!this.#isChanging && this.#generation === before) this.#add(read, key, result)
    return result
  }

  #add(read: unknown, key: string, result: unknown): void {
    if (this.#size >= MAX_CACHED_RESULTS) this.#clear()
    const known = this.#results.get(read) ?? new Map<string, unknown>()
    this.#results.set(read, known.set(key, result))
    this.#size++
  }

  #clear(): void {
    this.#results.clear()
    this.#size = 0
    this.#generation++
  }
}

/** What a statement does to cached results: nothing, perhaps a change, or the end of the transaction. */
export type Effect = 'none' | 'change' | 'end'

const HARMLESS = /^(select|savepoint|release|rollback to|begin|pragma|vacuum)\b/i
const WRITES = /^(?:insert into|update|delete from) "(\w+)"/i

/** Reads the effect of a statement from its text. An unknown statement counts as a change. */
export function effectOf(statement: string): Effect {
  if (HARMLESS.test(statement)) return 'none'
  if (/^(commit|rollback)\b/i.test(statement)) return 'end'
  const table = WRITES.exec(statement)?.[1]
  return table === undefined || CACHED_TABLES.has(table) ? 'change' : 'none'
}

/** Runs a statement on the only connection. The caller must be the one that holds it. */
export type Run = (text: string, parameters: readonly unknown[]) => QueryResult<unknown>

/** Kysely's adapter, extended by the cache. All handles of a database share it, those of transactions included. */
export class CachingAdapter extends SqliteAdapter {
  readonly cache: ReadCache
  readonly run: Run

  /** SQLite can roll back changes of the schema. Kysely then runs all migrations in one transaction. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  constructor(cache: ReadCache, run: Run) {
    super()
    this.cache = cache
    this.run = run
  }
}

/** Caches the results of a function that reads from `CACHED_TABLES` only. All callers share a result: never change it. */
export const cached =
  <Args extends readonly Argument[], Result>(
    read: (db: Kysely<Database>, ...args: Args) => Promise<Result>,
  ): ((db: Kysely<Database>, ...args: Args) => Promise<Result>) =>
  (db, ...args) => {
    const { adapter } = db.getExecutor()
    if (!(adapter instanceof CachingAdapter)) return read(db, ...args)
    return adapter.cache.get(read, args, () => read(db, ...args))
  }
