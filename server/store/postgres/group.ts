import type { Kysely } from 'kysely'
import { GroupRolledBackError, type GroupCommit } from '../engine.ts'
import { codeOf } from '../../platform/system/file-trouble.ts'
import type { Database } from '../schema.ts'
import type { WriterState } from '../writer-state.ts'
import { BatchFailedError } from './batch.ts'
import { mergeInserts } from './merge-inserts.ts'
import type { PgClient, PgResult } from './pg-module.ts'
import type { OpenMessage, Session } from './session.ts'
import { sqlCommand, type SqlCommand } from './sql-command.ts'
import { encodeValue } from './text-escape.ts'

const SAVEPOINT = sqlCommand('savepoint unit')
const ROLL_BACK = sqlCommand('rollback to unit')
const RELEASE = sqlCommand('release unit')

/**
 * How many postponed writes are sent together before the message ends: those of about eight calls. With fewer, the server has less
 * to merge. With more, it waits longer for its work.
 */
const WRITES_PER_PART = 24

/**
 * The transaction of a group of units of work. A write waits until a read needs the server, or until the commit, and is then sent
 * in the same message. If there are many writes, the server already runs them while other units of work add theirs. A unit of
 * work gets a savepoint only if it has sent something itself. If it has sent nothing and fails, its writes are simply not sent.
 */
export class PostgresGroup implements GroupCommit {
  readonly db: Kysely<Database>
  readonly #session: Session
  readonly #state: WriterState
  readonly #opening: readonly SqlCommand[]
  readonly #sendsParts: boolean
  readonly #pending: SqlCommand[] = []
  /** The index in `#pending` at which the current unit of work begins. */
  #unitAt = 0
  #hasSavepoint = false
  /** The message that has begun, if there is one. */
  #message: OpenMessage | undefined
  /** The number of statements in the message so far, and how many of them begin the transaction. */
  #statements = 0
  #openingStatements = 0
  /** Whether the server has begun the transaction. */
  #hasBegun = false
  /** The connection of the transaction. */
  #on: PgClient | undefined
  #isCommitting = false
  /** The reason why the whole group must be rolled back. */
  #failure: unknown
  #running: Promise<unknown> = Promise.resolve()

  /**
   * `sendsParts` says whether writes are sent before the message ends. The server does not limit the time until that end, so it
   * would not end the connection of a frozen process.
   */
  constructor(
    session: Session,
    state: WriterState,
    db: Kysely<Database>,
    fence: SqlCommand,
    sendsParts: boolean,
  ) {
    this.#session = session
    this.#sendsParts = sendsParts
    this.#state = state
    this.db = db
    this.#opening = [sqlCommand('begin'), fence]
  }

  /** Whether the commit was sent, and is not answered yet. */
  get isCommitting(): boolean {
    return this.#isCommitting
  }

  readonly begin = async (): Promise<void> => {
    this.#state.beginUnit()
    if (this.#pending.length >= WRITES_PER_PART) this.#sendPart()
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

  /** Postpones a statement whose result is not needed. `insertsInto` is the table, if the statement only inserts one row. */
  defer(text: string, values: readonly unknown[], insertsInto?: keyof Database): void {
    this.#pending.push({ text, values: values.map(toText), hasRows: false, insertsInto })
  }

  /** Sends the postponed statements, without waiting for their results. */
  #sendPart(): void {
    if (!this.#sendsParts || this.#failure !== undefined) return
    // If there is no connection, the end of the message fails.
    this.#message ??= this.#session.openMessage(this.#on)
    this.#message?.add(this.#toSend(this.#pending.splice(0)))
  }

  /** Merges statements, and puts the statements that begin the transaction before them. */
  #toSend(commands: readonly SqlCommand[]): readonly SqlCommand[] {
    const merged = mergeInserts(commands)
    if (!this.#hasBegun) {
      merged.unshift(...this.#opening)
      this.#openingStatements = this.#opening.length
      this.#hasBegun = true
    }
    this.#statements += merged.length
    return merged
  }

  /** Sends the postponed statements, and then this one. */
  run(text: string, values: readonly unknown[]): Promise<PgResult> {
    const result = this.#running.then(() => this.#runNow(sqlCommand(text, values.map(toText), true)))
    this.#running = result.catch(() => undefined)
    return result
  }

  async #runNow(command: SqlCommand): Promise<PgResult> {
    if (!this.#hasSavepoint) this.#pending.splice(this.#unitAt, 0, SAVEPOINT)
    this.#hasSavepoint = true
    this.#unitAt = 0
    return (await this.#send([...this.#pending.splice(0), command])).at(-1)!
  }

  /** Commits. Returns whether there was anything to commit. */
  async commit(): Promise<boolean> {
    if (this.#failure !== undefined) throw this.#failure
    if (!this.#hasBegun && this.#pending.length === 0) return false
    this.#isCommitting = true
    const results = await this.#send([...this.#pending, sqlCommand('commit')])
    if (results.at(-1)!.command === 'COMMIT') return true
    this.#isCommitting = false
    throw new Error('A unit of work continued after a statement had failed.')
  }

  /** Rolls back if the server has begun the transaction. */
  async abandon(): Promise<void> {
    await this.#message?.end([]).catch(() => undefined)
    // If this fails, the error that made the group fail matters more.
    if (this.#hasBegun && this.#session.isConnected)
      await this.#session.query('rollback').catch(() => undefined)
  }

  /** Sends statements, and waits for the results of the message. */
  async #send(commands: readonly SqlCommand[]): Promise<readonly PgResult[]> {
    if (this.#failure !== undefined) throw this.#failure
    const sentBefore = this.#statements
    const complete = this.#toSend(commands)
    const openingStatements = this.#openingStatements
    const message = this.#message
    this.#message = undefined
    this.#statements = 0
    this.#openingStatements = 0
    try {
      const { client, results } = await (message
        ? message.end(complete)
        : this.#session.sendAll(complete, this.#on))
      this.#on = client
      return results
    } catch (error) {
      if (!(error instanceof BatchFailedError)) {
        if (!this.#isCommitting) this.#failure = new GroupRolledBackError(error)
        throw this.#failure ?? error
      }
      this.#on ??= this.#session.client
      // Everything after the savepoint belongs to the current unit of work.
      const savepoint = complete.indexOf(SAVEPOINT)
      const isOfUnit = !this.#isCommitting && error.index > (savepoint < 0 ? -1 : sentBefore + savepoint)
      this.#isCommitting = false
      if (isOfUnit) throw error.cause
      this.#failure =
        error.index < openingStatements && showsOtherLeader(error.cause)
          ? await this.#session.whyNotLeading(error.cause)
          : new GroupRolledBackError(error.cause)
      throw this.#failure
    }
  }
}

/**
 * Whether an error means that another process has led: the row is not as this process has left it (a division by zero), or the
 * table is missing because someone has dropped the schema, and perhaps restored it.
 */
const showsOtherLeader = (error: unknown): boolean => ['22012', '42P01', '3F000'].includes(codeOf(error))

/** A value as text, in the server's notation. */
function toText(value: unknown): string | null {
  const encoded = encodeValue(value)
  return encoded === null || encoded === undefined ? null : String(encoded)
}
