import { sql, type Kysely } from 'kysely'
import { SYSTEM_CLOCK, readClock, type Clock } from '../domain/time/clock.ts'
import type { SandboxEvent, RecordedEvent } from '../domain/events/event.ts'
import type { Exchange } from '../domain/http/exchange.ts'
import type { Instant } from '../domain/time/time.ts'
import * as clocks from './repositories/clock.ts'
import { preparedCommand } from './sqlite/prepared.ts'
import * as events from './journal/events.ts'
import { EventBus } from './journal/event-bus.ts'
import type { Database } from './schema.ts'

/** What work has made that no rollback takes back, and does either with it. */
export interface SideEffect {
  onCommit(): void
  onRollback(): void
}

/** One unit of work: what it writes and what it records become true together. */
export interface UnitOfWork {
  readonly db: Kysely<Database>
  /** The sandbox's time. It stands still while the work is done, unless the work sets the clock. */
  readonly now: Instant
  readonly clock: Clock
  /** The machine's time, in milliseconds, from which the clock is reckoned. */
  readonly systemNow: number
  setClock(clock: Clock): Promise<void>
  /** Adds an event to the journal, with the bytes behind it where there are any, and gives its `seq`. `at` is for what is told afterwards. */
  record(event: SandboxEvent, exchange?: Exchange, at?: Instant): Promise<number>
  /** Has what stands outside of the database kept once this work is durable, and else taken back. */
  addSideEffect(made: SideEffect): void
  /** Takes back everything written and recorded so far. What follows still counts. */
  rollback(): Promise<void>
}

interface Job {
  /** Does the work, and gives what to do once it is durable. */
  run(db: Kysely<Database>, recorded: RecordedEvent[], outside: SideEffect[]): Promise<() => void>
  reject(reason: unknown): void
}

const MAX_JOBS_PER_COMMIT = 64

const setSavepoint = preparedCommand('savepoint job')
const rollbackToSavepoint = preparedCommand('rollback to job')
const releaseSavepoint = preparedCommand('release job')

export class Store {
  readonly feed: EventBus
  readonly db: Kysely<Database>
  readonly #machine: () => Date
  readonly #onError: (error: unknown) => void
  #clock: Clock
  /** The clock as the work that is being committed has set it. */
  #pending: Clock
  #waiting: Job[] = []
  #committing = false

  constructor(
    db: Kysely<Database>,
    machine: () => Date,
    onError: (error: unknown) => void,
    clock: Clock = SYSTEM_CLOCK,
  ) {
    this.db = db
    this.feed = new EventBus(onError)
    this.#machine = machine
    this.#onError = onError
    this.#clock = clock
    this.#pending = clock
  }

  /** The sandbox's time. */
  now(): Date {
    return new Date(readClock(this.#clock, this.systemNow()))
  }

  /** What the clock shows, how it is set, and what it is reckoned from. */
  time(): Pick<UnitOfWork, 'now' | 'clock' | 'systemNow'> {
    const machine = this.systemNow()
    return { now: nowBy(this.#clock, machine), clock: this.#clock, systemNow: machine }
  }

  /** The machine's time, in milliseconds. */
  systemNow(): number {
    return this.#machine().getTime()
  }

  /**
   * Runs `work` all or nothing, one after another, and publishes its events only once they are durable.
   *
   * Work that comes in together shares a commit, each piece behind a savepoint of its own. `work` may
   * wait for the database only: whatever else it waited for would hold up everybody.
   */
  transact<Result>(work: (work: UnitOfWork) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        reject,
        run: async (db, recorded, outside) => {
          const result = await work(this.#work(db, recorded, outside))
          return () => resolve(result)
        },
      })
      if (this.#committing) return
      this.#committing = true
      // After the requests that have arrived already, so that they join.
      setImmediate(() => void this.#commitWaiting())
    })
  }

  /**
   * Gives back the room of what was deleted, which every snapshot would copy. Quick where little is left. Where
   * that fails nothing but the room is lost, so it is reported and not thrown.
   */
  async compact(): Promise<void> {
    await sql`vacuum`.execute(this.db).catch(this.#onError)
  }

  /** The newest first. A failure leaves a file behind, and is reported. */
  #discard(outside: SideEffect[]): void {
    for (const made of outside.splice(0).toReversed()) this.#report(() => made.onRollback())
  }

  #report(deed: () => void): void {
    try {
      deed()
    } catch (error) {
      this.#onError(error)
    }
  }

  #work(db: Kysely<Database>, recorded: RecordedEvent[], outside: SideEffect[]): UnitOfWork {
    const machine = this.systemNow()
    const before = this.#pending
    let clock = before
    let now = nowBy(before, machine)
    const turn = (changed: Clock): void => {
      this.#pending = changed
      clock = changed
      now = nowBy(changed, machine)
    }
    return {
      db,
      systemNow: machine,
      get now() {
        return now
      },
      get clock() {
        return clock
      },
      async setClock(changed) {
        await clocks.save(db, changed)
        turn(changed)
      },
      async record(event, exchange, at = now) {
        const appended = await events.append(db, event, at, exchange)
        recorded.push(appended)
        return appended.seq
      },
      addSideEffect: (made) => void outside.push(made),
      rollback: async () => {
        await rollbackToSavepoint(db)
        this.#discard(outside)
        recorded.length = 0
        turn(before)
      },
    }
  }

  /** Waits until all work that came in has been committed or rejected. */
  async idle(): Promise<void> {
    if (this.#committing) await this.transact(async () => {})
  }

  async #commitWaiting(): Promise<void> {
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, MAX_JOBS_PER_COMMIT))
    this.#committing = false
  }

  async #commit(jobs: readonly Job[]): Promise<void> {
    const done: (() => void)[] = []
    const recorded: RecordedEvent[] = []
    const outside: SideEffect[][] = []
    this.#pending = this.#clock
    /** Why a piece of work failed, until it is taken back. */
    let failure: unknown
    try {
      await this.db.transaction().execute(async (db) => {
        for (const job of jobs) {
          const own: RecordedEvent[] = []
          const made: SideEffect[] = []
          outside.push(made)
          const clock = this.#pending
          await setSavepoint(db)
          try {
            done.push(await job.run(db, own, made))
            for (const event of own) recorded.push(event)
          } catch (error) {
            failure = error
            // On a full disk everything is taken back already, and the savepoint is gone with it.
            await rollbackToSavepoint(db)
            failure = undefined
            this.#discard(made)
            this.#pending = clock
            job.reject(error)
          }
          await releaseSavepoint(db)
        }
      })
    } catch (error) {
      this.#discard(outside.flat())
      for (const job of jobs) job.reject(failure ?? error)
      return
    }
    for (const made of outside.flat()) this.#report(() => made.onCommit())
    this.#clock = this.#pending
    this.feed.publish(recorded)
    for (const resolve of done) resolve()
  }
}

const nowBy = (clock: Clock, machine: number): Instant => new Date(readClock(clock, machine)).toISOString()
