import type { Kysely } from 'kysely'
import { GroupRolledBack, type GroupCommit } from '../engine.ts'
import { codeOf } from '../../platform/system/file-trouble.ts'
import type { Database } from '../schema.ts'
import type { WriterState } from '../writer-state.ts'
import { BatchFailed, sqlCommand, type SqlCommand } from './batch.ts'
import type { PgClient, PgResult } from './pg-module.ts'
import type { Session } from './session.ts'
import { encodeValue } from './text-escape.ts'

const SAVEPOINT = sqlCommand('savepoint unit')
const ROLL_BACK = sqlCommand('rollback to unit')
const RELEASE = sqlCommand('release unit')

/**
 * The transaction of a group of units of work. A write waits until a read needs the server, or until the commit, and is then sent
 * in the same message. A unit of work has a savepoint only if it has sent something. Otherwise, if it fails, its writes are
 * simply not sent.
 */
export class PostgresGroup implements GroupCommit {
  readonly db: Kysely<Database>
  readonly #session: Session
  readonly #state: WriterState
  readonly #opening: readonly SqlCommand[]
  readonly #pending: SqlCommand[] = []
  /** Where the writes of the current unit of work begin in `#pending`. */
  #unitAt = 0
  #hasSavepoint = false
  /** The connection on which the transaction has begun. */
  #on: PgClient | undefined
  #isCommitting = false
  /** Why the whole group must be rolled back. */
  #failure: unknown
  #running: Promise<unknown> = Promise.resolve()

  constructor(session: Session, state: WriterState, db: Kysely<Database>, fence: SqlCommand) {
    this.#session = session
    this.#state = state
    this.db = db
    this.#opening = [sqlCommand('begin'), fence]
  }

  /** Whether the commit was sent and the server has not answered yet. */
  get isCommitting(): boolean {
    return this.#isCommitting
  }

  /** Whether the server knows of the transaction. */
  get hasBegun(): boolean {
    return this.#on !== undefined
  }

  readonly begin = async (): Promise<void> => {
    this.#state.beginUnit()
    this.#unitAt = this.#pending.length
    this.#hasSavepoint = false
  }

  readonly rollback = async (): Promise<void> => {
    if (this.#failure !== undefined) throw this.#failure
    this.#state.rollBackUnit()
    this.#pending.length = this.#unitAt
    if (this.#hasSavepoint) this.#pending.push(ROLL_BACK)
  }

  readonly end = async (): Promise<void> => {
    if (this.#hasSavepoint) this.#pending.push(RELEASE)
  }

  /** Postpones a statement whose result nobody needs. */
  defer(text: string, values: readonly unknown[]): void {
    this.#pending.push(sqlCommand(text, values.map(toText)))
  }

  /** Sends the postponed statements, and then this one. */
  run(text: string, values: readonly unknown[]): Promise<PgResult> {
    const result = this.#running.then(() => this.#runNow(sqlCommand(text, values.map(toText), true)))
    this.#running = result.catch(() => undefined)
    return result
  }

  async #runNow(last: SqlCommand): Promise<PgResult> {
    if (!this.#hasSavepoint) this.#pending.splice(this.#unitAt, 0, SAVEPOINT)
    // The statements before it belong to other units of work.
    const savepointAt = this.#hasSavepoint ? -1 : this.#unitAt
    this.#hasSavepoint = true
    this.#unitAt = 0
    return (await this.#send([...this.#pending.splice(0), last], savepointAt)).at(-1)!
  }

  /** Returns whether there was anything to commit. */
  async commit(): Promise<boolean> {
    if (this.#failure !== undefined) throw this.#failure
    if (!this.hasBegun && this.#pending.length === 0) return false
    this.#isCommitting = true
    const results = await this.#send([...this.#pending, sqlCommand('commit')], Infinity)
    if (results.at(-1)!.command === 'COMMIT') return true
    this.#isCommitting = false
    throw new Error('A unit of work continued after a statement had failed.')
  }

  /** From the position `savepointAt` on, a failure concerns only the current unit of work. */
  async #send(commands: readonly SqlCommand[], savepointAt: number): Promise<readonly PgResult[]> {
    if (this.#failure !== undefined) throw this.#failure
    const opening = this.hasBegun ? [] : this.#opening
    try {
      const { client, results } = await this.#session.sendAll([...opening, ...commands], this.#on)
      this.#on = client
      return results
    } catch (error) {
      if (!(error instanceof BatchFailed)) {
        if (!this.#isCommitting) this.#failure = new GroupRolledBack(error)
        throw this.#failure ?? error
      }
      this.#isCommitting = false
      this.#on ??= this.#session.client
      if (error.index >= opening.length + savepointAt + 1) throw error.cause
      this.#failure =
        error.index < opening.length && showsOtherLeader(error.cause)
          ? await this.#session.whyNotLeading(error.cause)
          : new GroupRolledBack(error.cause)
      throw this.#failure
    }
  }
}

/**
 * Either the row is not as this process has left it (a division by zero), or the table is missing because the schema was dropped,
 * and perhaps restored.
 */
const showsOtherLeader = (error: unknown): boolean => ['22012', '42P01', '3F000'].includes(codeOf(error))

/** A value as text, in the notation of the server. */
function toText(value: unknown): string | null {
  const encoded = encodeValue(value)
  return encoded === null || encoded === undefined ? null : String(encoded)
}
