import { SqliteAdapter, type Kysely, type QueryResult } from 'kysely'
import type { Database } from '../schema.ts'

/** What nearly every call asks for and hardly any changes. */
const CACHED_TABLES: ReadonlySet<string> = new Set([
  'account',
  'behavior',
  'block',
  'fault',
  'meta',
  'outlet',
] satisfies (keyof Database)[])

/** Of a database with parallel tests, as many answers as some hundred accounts need. */
const MAX_CACHED_RESULTS = 5_000

/** What is longer names nothing that there is, and anybody may ask for it. */
const MAX_KEY_LENGTH = 200

type Argument = string | number | null | undefined

/** Nearly all is asked with one text, which is quicker as it is. No list written as JSON begins like that key. */
function keyOf(args: readonly Argument[]): string {
  const [first] = args
  return args.length === 1 && typeof first === 'string' ? `=${first}` : JSON.stringify(args)
}

/**
 * Remembers what was read from tables that change seldom. Only what is committed: from the first change in a
 * transaction to its end everything is read anew, so nothing is known that may be taken back.
 */
export class ReadCache {
  readonly #answers = new Map<unknown, Map<string, unknown>>()
  #size = 0
  #changes = 0
  #isChanging = false

  /** Whoever runs statements says each before it runs. */
  notice(effect: Effect): void {
    if (effect === 'end') this.#isChanging = false
    if (effect !== 'change' || this.#isChanging) return
    this.#isChanging = true
    this.#forget()
  }

  async get<Result>(read: unknown, args: readonly Argument[], ask: () => Promise<Result>): Promise<Result> {
    if (this.#isChanging) return ask()
    const key = keyOf(args)
    if (key.length > MAX_KEY_LENGTH) return ask()
    const known = this.#answers.get(read)
    if (known?.has(key)) return known.get(key) as Result
    const before = this.#changes
    const answer = await ask()
    // Who waited for the connection may have seen what was there before.
    if (!this.#isChanging && this.#changes === before) this.#keep(read, key, answer)
    return answer
  }

  #keep(read: unknown, key: string, answer: unknown): void {
    if (this.#size >= MAX_CACHED_RESULTS) this.#forget()
    const known = this.#answers.get(read) ?? new Map<string, unknown>()
    this.#answers.set(read, known.set(key, answer))
    this.#size++
  }

  #forget(): void {
    this.#answers.clear()
    this.#size = 0
    this.#changes++
  }
}

/** What a statement does to what is remembered: nothing, perhaps something, or it ends the transaction. */
export type Effect = 'none' | 'change' | 'end'

const HARMLESS = /^(select|savepoint|release|rollback to|begin|pragma|vacuum)\b/i
const WRITES = /^(?:insert into|update|delete from) "(\w+)"/i

/** Says it of a statement. What is not known to be harmless is a change. */
export function effectOf(statement: string): Effect {
  if (HARMLESS.test(statement)) return 'none'
  if (/^(commit|rollback)\b/i.test(statement)) return 'end'
  const table = WRITES.exec(statement)?.[1]
  return table === undefined || CACHED_TABLES.has(table) ? 'change' : 'none'
}

/** Runs a statement on the one connection there is, which has to be the caller's at the time. */
export type Run = (text: string, parameters: readonly unknown[]) => QueryResult<unknown>

/** Every handle on a database, a transaction's too, has the one adapter of its dialect. */
export class CachingAdapter extends SqliteAdapter {
  readonly cache: ReadCache
  readonly run: Run

  constructor(recall: ReadCache, run: Run) {
    super()
    this.cache = recall
    this.run = run
  }
}

/** Remembers what a function of this room reads, which is from such tables alone. Nobody may change what it gives. */
export const cached =
  <Args extends readonly Argument[], Result>(
    read: (db: Kysely<Database>, ...args: Args) => Promise<Result>,
  ): ((db: Kysely<Database>, ...args: Args) => Promise<Result>) =>
  (db, ...args) => {
    const { adapter } = db.getExecutor()
    if (!(adapter instanceof CachingAdapter)) return read(db, ...args)
    return adapter.cache.get(read, args, () => read(db, ...args))
  }
