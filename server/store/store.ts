import { sql, type Kysely } from 'kysely'
import { NOTHING_CONFIRMED, type ConfirmedPoints } from '../domain/behaviors/behavior.ts'
import { SYSTEM_CLOCK, readClock, type Clock } from '../domain/time/clock.ts'
import type { SandboxEvent, RecordedEvent } from '../domain/events/event.ts'
import type { Exchange } from '../domain/http/exchange.ts'
import type { Instant } from '../domain/time/berlin-time.ts'
import { Counter, Durations } from '../platform/system/metrics.ts'
import * as clocks from './repositories/clock.ts'
import { OutcomeUnknownError } from './database-error.ts'
import { GroupRolledBackError, type Engine, type GroupCommit } from './engine.ts'
import * as events from './journal/events.ts'
import { EventBus } from './journal/event-bus.ts'
import type { Database } from './schema.ts'
import type { SideEffect } from './side-effect.ts'

/** One unit of work. Everything that it writes and records is committed together. */
export interface UnitOfWork {
  /**
   * Must be passed to the functions of the store. The store's own `db` would wait for the only connection, which this unit of
   * work is using.
   */
  readonly db: Kysely<Database>
  /** The open points that the real service has confirmed. */
  readonly confirmedPoints: ConfirmedPoints
  /**
   * The sandbox's time. It stays the same during the unit of work, unless `setClock` is called. Durations are measured by a
   * different clock.
   */
  readonly now: Instant
  readonly clock: Clock
  /** The system time in milliseconds when the unit of work began. */
  readonly systemNow: number
  /** Sets the clock for the rest of this unit of work, and for everyone after its commit. */
  setClock(clock: Clock): Promise<void>
  /**
   * Adds an event to the journal, with the bytes of its request and response if it has any, and returns its `seq`. `at` is the
   * time of an event that happened earlier.
   */
  record(event: SandboxEvent, exchange?: Exchange, at?: Instant): Promise<number>
  /** Calls `onCommit` when this unit of work is durable, or `onRollback` if it is rolled back. */
  addSideEffect(effect: SideEffect): void
  /** Rolls back everything that was written and recorded so far. `work` may continue. */
  rollback(): Promise<void>
}

/** The part of a unit of work that `setClock` changes. */
interface ChangingClock {
  now: Instant
  clock: Clock
}

/**
 * Further work for a group, after its units of work and before its commit. `undefined` if the events of the group do not need
 * any.
 */
type WorkBeforeCommit = (
  recorded: readonly RecordedEvent[],
) => ((work: UnitOfWork) => Promise<void>) | undefined

interface Job {
  /** Runs the unit of work, and returns a function to call when it is durable. */
  run(group: GroupCommit, recorded: RecordedEvent[], effects: SideEffect[]): Promise<() => void>
  reject(reason: unknown): void
}

const MAX_JOBS_PER_COMMIT = 64

type StoreEngine = Pick<Engine, 'db' | 'commitsWaitForDisk' | 'group' | 'compact'>

export class Store {
  readonly eventBus: EventBus
  readonly db: Kysely<Database>
  readonly confirmedPoints: ConfirmedPoints
  /** Counts the units of work: `committed`, or `failed`. */
  readonly units = new Counter({ result: 'committed' }, { result: 'failed' })
  /** Counts the transactions: `committed`, `rolled_back`, or `unknown` if the connection was lost during the commit. */
  readonly transactions = new Counter(
    { result: 'committed' },
    { result: 'rolled_back' },
    { result: 'unknown' },
  )
  readonly commitDurations = new Durations()
  readonly #engine: StoreEngine
  readonly #systemTime: () => Date
  readonly #onError: (error: unknown) => void
  #clock: Clock
  /** The clock, as the jobs of the current commit have set it. */
  #nextClock: Clock
  readonly #beforeCommit = new Set<WorkBeforeCommit>()
  #waiting: Job[] = []
  #committing = false
  #newestSeq: number | undefined
  /** Set while it is unknown whether a commit has succeeded. Resolves when this is known. */
  #unknown: Promise<void> | undefined

  constructor(
    engine: StoreEngine,
    systemTime: () => Date,
    onError: (error: unknown) => void,
    clock: Clock = SYSTEM_CLOCK,
    confirmedPoints: ConfirmedPoints = NOTHING_CONFIRMED,
  ) {
    this.#engine = engine
    this.db = engine.db
    this.confirmedPoints = confirmedPoints
    this.eventBus = new EventBus(onError)
    this.#systemTime = systemTime
    this.#onError = onError
    this.#clock = clock
    this.#nextClock = clock
  }

  /** Whether each commit waits for the disk. A unit of work then takes much longer than its statements. */
  get commitsWaitForDisk(): boolean {
    return this.#engine.commitsWaitForDisk
  }

  /** The sandbox's time. */
  now(): Date {
    return new Date(readClock(this.#clock, this.systemNow()))
  }

  /** The sandbox's time, the setting of the clock, and the system time in milliseconds. */
  time(): Pick<UnitOfWork, 'now' | 'clock' | 'systemNow'> {
    const systemNow = this.systemNow()
    return { now: instantOf(this.#clock, systemNow), clock: this.#clock, systemNow }
  }

  /** The system time in milliseconds. */
  systemNow(): number {
    return this.#systemTime().getTime()
  }

  /**
   * Runs units of work one after another. Each is committed or rolled back as a whole. Its events are published when it is
   * durable. Units that arrive together share one commit, but each can be rolled back alone. `work` may wait only for the
   * database, because any other wait would block all other work. `work` may run a second time if the first run was rolled back.
   */
  transact<Result>(work: (work: UnitOfWork) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        reject,
        run: async (group, recorded, effects) => {
          const result = await work(this.#unitOfWork(group, recorded, effects))
          return () => resolve(result)
        },
      })
      if (this.#committing) return
      this.#committing = true
      // Begins after the requests that have already arrived, so that they join this commit.
      setImmediate(() => void this.#commitWaiting())
    })
  }

  /**
   * Runs `work` before each commit that records events of one kind. If it fails, only its own changes are rolled back, and
   * nothing is reported. Only if PostgreSQL refuses a write at the commit do the units of work also fail. Returns a function that
   * ends this.
   */
  beforeCommit<Kind extends RecordedEvent>(
    isOfKind: (event: RecordedEvent) => event is Kind,
    work: (work: UnitOfWork, recorded: readonly Kind[]) => Promise<void>,
  ): () => void {
    const further: WorkBeforeCommit = (recorded) => {
      const ofKind = recorded.filter(isOfKind)
      return ofKind.length === 0 ? undefined : (unit) => work(unit, ofKind)
    }
    this.#beforeCommit.add(further)
    return () => this.#beforeCommit.delete(further)
  }

  /**
   * Frees the space of deleted rows. Only a reset calls this, because it blocks all work, and is fast only if few rows are left.
   * A failure is only reported, because its only effect is that the file stays large.
   */
  async compact(): Promise<void> {
    await this.#engine.compact().catch(this.#onError)
  }

  /** Undoes side effects, the newest first. A failure is only reported, because it only leaves a file behind. */
  #discard(effects: SideEffect[]): void {
    for (const effect of effects.splice(0).toReversed()) this.#reportError(() => effect.onRollback())
  }

  #reportError(action: () => void): void {
    try {
      action()
    } catch (error) {
      this.#onError(error)
    }
  }

  #unitOfWork(group: GroupCommit, recorded: RecordedEvent[], effects: SideEffect[]): UnitOfWork {
    const { db } = group
    const systemNow = this.systemNow()
    const { confirmedPoints } = this
    const before = this.#nextClock
    const useClock = (changed: Clock): void => {
      this.#nextClock = changed
      work.clock = changed
      work.now = instantOf(changed, systemNow)
    }
    const work: ChangingClock & UnitOfWork = {
      db,
      confirmedPoints,
      systemNow,
      clock: before,
      now: instantOf(before, systemNow),
      async setClock(changed) {
        await clocks.save(db, changed)
        useClock(changed)
      },
      async record(event, exchange, at = work.now) {
        const appended = await events.append(db, event, at, exchange)
        recorded.push(appended)
        return appended.seq
      },
      addSideEffect: (effect) => void effects.push(effect),
      rollback: async () => {
        await group.rollback()
        this.#discard(effects)
        recorded.length = 0
        useClock(before)
      },
    }
    return work
  }

  /** Reads from the database, after others that are waiting for the only connection. Rejects if the database cannot be read. */
  async ping(): Promise<void> {
    await sql`select 1`.execute(this.db)
  }

  /** The `seq` of the newest event that this process has recorded. */
  get newestSeq(): number | undefined {
    return this.#newestSeq
  }

  /** How many units of work wait for the current transaction to end. */
  get waitingUnits(): number {
    return this.#waiting.length
  }

  /** Resolves when all current work was committed or rejected. */
  async idle(): Promise<void> {
    if (this.#committing) await this.transact(async () => {})
  }

  async #commitWaiting(): Promise<void> {
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, MAX_JOBS_PER_COMMIT))
    this.#committing = false
  }

  async #commit(jobs: readonly Job[], isRepeated = false): Promise<void> {
    /** The jobs that are not rejected so far. */
    const left = new Set(jobs)
    const resolved: (() => void)[] = []
    const recorded: RecordedEvent[] = []
    const effects: SideEffect[][] = []
    /** The error of a failed job whose writes are not rolled back yet. */
    let failure: unknown
    let commitBeganAt = 0
    const finish = (): void => {
      for (const effect of effects.flat()) this.#reportError(() => effect.onCommit())
      this.#clock = this.#nextClock
      this.#newestSeq = recorded.at(-1)?.seq ?? this.#newestSeq
      this.eventBus.publish(recorded)
    }
    const discard = (): void => this.#discard(effects.flat())
    try {
      if (this.#unknown) await this.#awaitOutcome(this.#unknown)
    } catch (error) {
      this.units.add({ result: 'failed' }, jobs.length)
      for (const job of jobs) job.reject(error)
      return
    }
    try {
      this.#nextClock = this.#clock
      await this.#engine.group(async (group) => {
        const runJob = async (job: Job): Promise<void> => {
          const ownEvents: RecordedEvent[] = []
          const ownEffects: SideEffect[] = []
          effects.push(ownEffects)
          const clock = this.#nextClock
          await group.begin()
          try {
            resolved.push(await job.run(group, ownEvents, ownEffects))
            for (const event of ownEvents) recorded.push(event)
          } catch (error) {
            failure = error
            // On a full disk, SQLite has already rolled back the transaction and its savepoints, so this throws.
            await group.rollback()
            failure = undefined
            this.#discard(ownEffects)
            this.#nextClock = clock
            if (left.delete(job)) this.units.add({ result: 'failed' })
            job.reject(error)
          }
          await group.end()
        }
        for (const job of jobs) await runJob(job)
        for (const further of this.#beforeCommit) {
          const work = further(recorded)
          if (work !== undefined) await runJob(this.#jobFor(work))
        }
        commitBeganAt = performance.now()
      })
    } catch (error) {
      const isUnknown = error instanceof OutcomeUnknownError
      if (isUnknown) this.#finishLater(error, finish, discard)
      else discard()
      this.transactions.add({ result: isUnknown ? 'unknown' : 'rolled_back' })
      const isRolledBack = error instanceof GroupRolledBackError
      if (isRolledBack && !isRepeated) return this.#repeat(left)
      this.units.add({ result: 'failed' }, left.size)
      for (const job of left) job.reject(isRolledBack ? error.cause : (failure ?? error))
      return
    }
    this.commitDurations.add((performance.now() - commitBeganAt) / 1000)
    this.transactions.add({ result: 'committed' })
    this.units.add({ result: 'committed' }, left.size)
    finish()
    for (const resolve of resolved) resolve()
  }

  #jobFor(work: (work: UnitOfWork) => Promise<void>): Job {
    return {
      reject: () => {},
      run: async (group, recorded, effects) => {
        await work(this.#unitOfWork(group, recorded, effects))
        return () => {}
      },
    }
  }

  /** Runs units of work again one at a time, so that only those that fail are rejected. */
  async #repeat(jobs: Iterable<Job>): Promise<void> {
    for (const job of jobs) await this.#commit([job], true)
  }

  /** Waits until the outcome of the previous commit is known. Rejects if the database cannot be used. */
  async #awaitOutcome(outcome: Promise<void>): Promise<void> {
    await this.ping()
    await outcome
  }

  /** Finishes a commit once it is known from the database whether it has succeeded. */
  #finishLater({ wasCommitted }: OutcomeUnknownError, finish: () => void, discard: () => void): void {
    this.#unknown = wasCommitted()
      // This process can no longer use the database.
      .catch(() => false)
      .then((isCommitted) => {
        this.#unknown = undefined
        if (isCommitted) finish()
        else discard()
      })
  }
}

let lastInstant = { ms: NaN, text: '' }

/** The time that a clock shows. Units of work in the same millisecond share the text. */
function instantOf(clock: Clock, systemNow: number): Instant {
  const ms = readClock(clock, systemNow)
  if (ms !== lastInstant.ms) lastInstant = { ms, text: new Date(ms).toISOString() }
  return lastInstant.text
}
