import { sql, type Kysely } from 'kysely'
import type { SandboxEvent, Recorded } from '../domain/events.ts'
import type { Exchange } from '../domain/exchange.ts'
import type { Instant } from '../domain/time.ts'
import * as events from './events.ts'
import { Feed } from './feed.ts'
import type { Database } from './schema.ts'

/** One unit of work: what it writes and what it records become true together. */
export interface Work {
  readonly db: Kysely<Database>
  readonly now: Instant
  /** Adds an event to the journal, with the bytes behind it where there are any. */
  record(event: SandboxEvent, exchange?: Exchange): Promise<void>
  /** Takes back everything written and recorded so far. What follows still counts. */
  undo(): Promise<void>
}

interface Job {
  /** Does the work, and gives what to do once it is durable. */
  run(db: Kysely<Database>, recorded: Recorded[]): Promise<() => void>
  reject(reason: unknown): void
}

const MOST_JOBS_A_COMMIT = 64

export class Store {
  readonly feed = new Feed()
  readonly db: Kysely<Database>
  readonly now: () => Date
  #waiting: Job[] = []
  #committing = false

  constructor(db: Kysely<Database>, now: () => Date) {
    this.db = db
    this.now = now
  }

  /**
   * Runs `work` all or nothing, one after another, and publishes its events only once they are durable.
   *
   * Work that comes in together shares a commit, each piece behind a savepoint of its own. `work` may
   * wait for the database only: whatever else it waited for would hold up everybody.
   */
  transact<Result>(work: (work: Work) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        reject,
        run: async (db, recorded) => {
          const now = this.now().toISOString()
          const result = await work({
            db,
            now,
            record: async (event, exchange) =>
              void recorded.push(await events.append(db, event, now, exchange)),
            undo: async () => {
              await sql`rollback to job`.execute(db)
              recorded.length = 0
            },
          })
          return () => resolve(result)
        },
      })
      if (this.#committing) return
      this.#committing = true
      // After the requests that have arrived already, so that they join.
      setImmediate(() => void this.#commitWaiting())
    })
  }

  /** Waits until all work that came in has been committed or rejected. */
  async idle(): Promise<void> {
    if (this.#committing) await this.transact(async () => {})
  }

  async #commitWaiting(): Promise<void> {
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, MOST_JOBS_A_COMMIT))
    this.#committing = false
  }

  async #commit(jobs: readonly Job[]): Promise<void> {
    const done: (() => void)[] = []
    const recorded: Recorded[] = []
    try {
      await this.db.transaction().execute(async (db) => {
        for (const job of jobs) {
          const own: Recorded[] = []
          await sql`savepoint job`.execute(db)
          try {
            done.push(await job.run(db, own))
            for (const event of own) recorded.push(event)
          } catch (error) {
            await sql`rollback to job`.execute(db)
            job.reject(error)
          }
          await sql`release job`.execute(db)
        }
      })
    } catch (error) {
      for (const job of jobs) job.reject(error)
      return
    }
    this.feed.publish(recorded)
    for (const resolve of done) resolve()
  }
}
