import type { DialectAdapter, Kysely, QueryResult } from 'kysely'
import type { Database } from './schema.ts'

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

/** A text that differs for different arguments. Much faster than JSON. */
function keyOf(args: readonly Argument[]): string {
  let key = ''
  for (const one of args) key += typeof one === 'string' ? `${one.length}=${one}` : `${one};`
  return key
}

/**
 * Caches results of reads from `CACHED_TABLES` until a statement writes to one of these tables. From that statement to the
 * end of the transaction every read goes to the database, so the cache never holds uncommitted data.
 *
 * The engine reports every statement by its text. Code that writes without Kysely must report its writes. The cache does not
 * notice what another program writes to the database.
 */
export class ReadCache {
  /** Keeps promises, because a hit then creates none. */
  readonly #results = new Map<unknown, Map<string, Promise<unknown>>>()
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

  /** Forgets everything. For a connection that was lost, perhaps within a transaction. */
  forget(): void {
    this.#isChanging = false
    this.#clear()
  }

  get<Result>(read: unknown, args: readonly Argument[], run: () => Promise<Result>): Promise<Result> {
    if (this.#isChanging) return run()
    const key = keyOf(args)
    if (key.length > MAX_KEY_LENGTH) return run()
    const known = this.#results.get(read)?.get(key)
    return known ? (known as Promise<Result>) : this.#read(read, key, run)
  }

  async #read<Result>(read: unknown, key: string, run: () => Promise<Result>): Promise<Result> {
    const before = this.#generation
    const result = await run()
    // While this read waited for the connection, a write may have made its result stale.
    if (!this.#isChanging && this.#generation === before) this.#add(read, key, Promise.resolve(result))
    return result
  }

  #add(read: unknown, key: string, result: Promise<unknown>): void {
    if (this.#size >= MAX_CACHED_RESULTS) this.#clear()
    const known = this.#results.get(read) ?? new Map<string, Promise<unknown>>()
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

const HARMLESS = /^(select|savepoint|release|rollback to|begin|pragma|vacuum|set|show|declare|fetch|close)\b/i
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
export interface CachingAdapter extends DialectAdapter {
  readonly cache: ReadCache
  /** `undefined` if only Kysely can run a statement. */
  readonly run?: Run
}

/** A database that a test has opened has a plain adapter. */
export const cachingAdapterOf = (db: Kysely<Database>): Partial<CachingAdapter> => db.getExecutor().adapter

/** Caches the results of a function that reads from `CACHED_TABLES` only. All callers share a result: never change it. */
export const cached =
  <Args extends readonly Argument[], Result>(
    read: (db: Kysely<Database>, ...args: Args) => Promise<Result>,
  ): ((db: Kysely<Database>, ...args: Args) => Promise<Result>) =>
  (db, ...args) => {
    const { cache } = cachingAdapterOf(db)
    return cache ? cache.get(read, args, () => read(db, ...args)) : read(db, ...args)
  }
