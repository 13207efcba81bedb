import { setTimeout as pause } from 'node:timers/promises'
import { codeOf, type Trouble } from '../../platform/system/file-trouble.ts'
import { GroupRolledBackError, type Leadership } from '../engine.ts'
import type { Database } from '../schema.ts'
import type { WriterState } from '../writer-state.ts'
import { DatabaseError, OutcomeUnknownError } from '../database-error.ts'
import type { PostgresAddress } from './address.ts'
import { CommandBatch, BatchFailedError } from './batch.ts'
import { ParsedStatements } from './parsed-statements.ts'
import type { PgClient, PgModule, PgQuery, PgResult } from './pg-module.ts'
import { CONNECTION_LOST, LEADERSHIP_LOST, postgresTroubleOf } from './postgres-trouble.ts'
import type { SqlCommand } from './sql-command.ts'
import { decodeText, encodeValue } from './text-escape.ts'

/** How long callers wait if the connection is lost. After that, they fail at once until there is a connection again. */
export const RECONNECT_MS = 10_000
const RETRY_MS = 250
const CONNECT_TIMEOUT_MS = 10_000
/**
 * How long a query may take. If there were no limit, a server that hangs, or a network that drops everything, would block all
 * calls forever.
 */
export const QUERY_TIMEOUT_MS = 30_000
const MAX_PREPARED_STATEMENTS = 500

/** How long the leader's connection can be silent before the server ends it, if several processes want to lead. */
export const MAX_SILENCE_MS = 5_000
const PING_MS = 1_000
/** How long it may take until an idle process notices that another process has changed the database. */
const LOOK_MS = 2_000
/** For this long, a response of the server proves that this process has the lock. Shorter than `MAX_SILENCE_MS`. */
const CERTAIN_MS = 4_000

const LOST = 'The connection to the database server was lost.'

/** Another process wrote to the schema while this process had lost its connection. */
export class LeadershipLostError extends DatabaseError {
  readonly code = LEADERSHIP_LOST
  /** The number of this process's last committed group. `undefined` if the database no longer contains it. */
  readonly lastCommitted: number | undefined

  constructor(lastCommitted: number | undefined) {
    super('Another sandbox has used the schema.')
    this.lastCommitted = lastCommitted
  }
}

/** A query failed because the connection was lost. */
class ConnectionLostError extends Error {
  readonly code = CONNECTION_LOST
}

/** A transaction in which statements are sent together. */
interface Transaction {
  run(text: string, values: readonly unknown[]): Promise<PgResult>
  /** Postpones a statement whose result is not needed. */
  defer(text: string, values: readonly unknown[], insertsInto?: keyof Database): void
}

/** The results of statements that were sent in one message, and the connection on which they ran. */
interface BatchResult {
  readonly client: PgClient
  readonly results: readonly PgResult[]
}

/** A message to the server, which runs each part as it arrives, and responds at the end. */
export interface OpenMessage {
  add(commands: readonly SqlCommand[]): void
  end(commands: readonly SqlCommand[]): Promise<BatchResult>
}

/**
 * The only connection to the server. It has the lock of the schema, so a process that has lost the lock cannot write. All queries
 * use it, one after another, as with SQLite. If it is lost, a new connection is opened.
 */
export class Session {
  readonly #pg: PgModule
  readonly #address: PostgresAddress
  readonly #state: WriterState
  /**
   * Prepares a new connection: gets the lock, and checks that no other process has used the schema. Resolves with the number of
   * the last group of this process in the database.
   */
  readonly #prepare: (session: Session) => Promise<number>
  #client: PgClient | undefined
  /** Whether the connection was prepared. */
  #isReady = false
  /** The number of the last group of this process that is certainly in the database. */
  lastGroup = 0
  /** Callers wait for a connection until this time. */
  #giveUpAt = -Infinity
  #names = new Map<string, string>()
  #parsed = new ParsedStatements()
  #problem: unknown
  #connecting: Promise<void> | undefined
  #isClosed = false
  /**
   * When the last statement was sent that was answered. Uses two clocks, because neither of them reliably counts the time during
   * which the machine is suspended.
   */
  #confirmed = { monotonic: -Infinity, system: -Infinity }
  /** When this process last verified that no other process had changed the database. */
  #lookedAt = -Infinity
  #isAsLeft = (): Promise<boolean> => Promise.resolve(true)
  /** Resolves when the server has answered the current statement. */
  #running: Promise<void> | undefined
  #onLost = (): void => undefined
  #pings: NodeJS.Timeout | undefined
  /** Called with the error of each statement that fails. */
  onFailure: (error: unknown) => void = () => undefined
  /** The transaction of the caller that has the connection. */
  transaction: Transaction | undefined
  /** Resolves when nobody uses the connection. */
  #free: Promise<void> = Promise.resolve()

  constructor(
    pg: PgModule,
    address: PostgresAddress,
    state: WriterState,
    prepare: (session: Session) => Promise<number>,
  ) {
    this.#pg = pg
    this.#address = address
    this.#state = state
    this.#prepare = prepare
  }

  /** The server process's id, as the connection reports it. Behind a pooler, this is a different id. */
  get processId(): number {
    return this.#client?.processID ?? 0
  }

  /** Why there is no connection. `undefined` if there is one. */
  trouble(): Trouble | undefined {
    if (this.#isReady || this.#isClosed) return undefined
    return postgresTroubleOf(this.#problem) ?? postgresTroubleOf(new ConnectionLostError(LOST))
  }

  get isConnected(): boolean {
    return this.#isReady
  }

  #isLost = (): boolean => this.#problem instanceof LeadershipLostError

  /**
   * Makes sure that the server notices if this process freezes, and that this process notices if another one leads or the
   * database has changed. `isAsLeft` asks the server.
   */
  watch(isAsLeft: () => Promise<boolean>, onLost: () => void): Omit<Leadership, 'followers'> {
    this.#isAsLeft = isAsLeft
    this.#onLost = onLost
    this.#pings = setInterval(() => {
      if (!this.#isReady || this.#running) return
      if (this.#isConfirmed(PING_MS) && !this.#isLookDue(LOOK_MS)) return
      this.#look(LOOK_MS).catch(() => undefined)
    }, PING_MS).unref()
    return {
      isCertain: () => this.#isReady && this.#isConfirmed(CERTAIN_MS),
      confirm: async () => {
        await this.reconnect()
        await this.#look(0)
      },
      trouble: () => this.trouble(),
    }
  }

  #isConfirmed(withinMs: number): boolean {
    const { monotonic, system } = this.#confirmed
    const systemMs = Date.now() - system
    return performance.now() - monotonic < withinMs && systemMs >= 0 && systemMs < withinMs
  }

  /** Must be called when a group of this process was committed, which proves that nobody else has changed the database. */
  committed(group: number): void {
    this.lastGroup = group
    this.#lookedAt = performance.now()
  }

  #isLookDue = (afterMs: number): boolean => performance.now() - this.#lookedAt >= afterMs

  /** Checks that the server still responds, and from time to time that the database is as this process has left it. */
  async #look(afterMs: number): Promise<void> {
    // An empty statement, which also works in a failed transaction.
    await this.#query({ text: '', query_timeout: MAX_SILENCE_MS })
    if (this.transaction || !this.#isLookDue(afterMs)) return
    this.#lookedAt = performance.now()
    const client = this.#client
    const isAsLeft = await this.#isAsLeft()
    if (client && !isAsLeft && !this.transaction) this.#lose(client)
  }

  /**
   * Whether a group was committed although its connection was lost. The next connection can tell: when it has the lock, the
   * server has already ended the old transaction.
   */
  async wasCommitted(group: number): Promise<boolean> {
    try {
      return (await this.#lastGroupAfter(this.reconnect())) >= group
    } catch (cause) {
      const later = async () => (await this.#lastGroupAfter(this.#connectAgain())) >= group
      throw new OutcomeUnknownError(later, cause)
    }
  }

  async #lastGroupAfter(connected: Promise<void>): Promise<number> {
    try {
      await connected
      return this.lastGroup
    } catch (error) {
      if (error instanceof LeadershipLostError && error.lastCommitted !== undefined)
        return error.lastCommitted
      throw error
    }
  }

  /** Opens the first connection. */
  async open(): Promise<void> {
    await this.#connect()
  }

  /** Acts as the pool for Kysely. Gives the connection to one caller after another. */
  async connect() {
    const before = this.#free
    let release!: () => void
    this.#free = new Promise((resolve) => (release = resolve))
    await before
    try {
      await this.reconnect()
    } catch (error) {
      release()
      throw error
    }
    return { query: this.queryHeld, release }
  }

  end = async (): Promise<void> => {
    this.#isClosed = true
    clearInterval(this.#pings)
    await this.#connecting?.catch(() => undefined)
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => undefined)
  }

  /** Runs a statement for the caller that has the connection. If there is a group, the statement runs in its transaction. */
  queryHeld = (text: string, values: readonly unknown[] = []): Promise<PgResult> =>
    this.transaction ? this.transaction.run(text, values) : this.query(text, values)

  /** Runs a statement outside of any caller's transaction. */
  query = async (text: string, values: readonly unknown[] = []): Promise<PgResult> => {
    // The server has already rolled back. An error here would hide the cause.
    if (!this.#client && text === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] }
    // A text can contain several statements only if it has no values.
    const query =
      values.length === 0 ? text : { text, values: values.map(encodeValue), name: this.#nameFor(text) }
    return this.#query(query)
  }

  async #query(query: PgQuery | string): Promise<PgResult> {
    return (await this.#send(async (client) => lastOf(await client.query(query)))).result
  }

  /**
   * Runs several statements in one message. Rejects with `BatchFailedError` if one fails. If `on` is set, it is the connection of the
   * transaction, and no other may be used.
   */
  async sendAll(commands: readonly SqlCommand[], on?: PgClient): Promise<BatchResult> {
    while (this.#running) await this.#running
    const message = this.openMessage(on)
    if (!message) throw new ConnectionLostError(LOST)
    return message.end(commands)
  }

  /** Begins a message, and sends its parts as they are added. `undefined` if the connection is in use or lost. */
  openMessage(on?: PgClient): OpenMessage | undefined {
    const client = this.#client
    if (this.#running || !client || (on && on !== client)) return undefined
    let batch!: CommandBatch
    const sent = this.#send(
      (used) =>
        new Promise<PgResult[]>((resolve, reject) => {
          batch = new CommandBatch(this.#parsed, parserFor, (error) =>
            error === undefined || error === null ? resolve(batch.results) : reject(error as Error),
          )
          used.query(batch)
        }),
    )
    // The message can fail before it ends, when nothing awaits this promise yet.
    sent.catch(() => undefined)
    return {
      add: (commands) => batch.add(commands),
      async end(commands) {
        batch.add(commands, true)
        const { result } = await sent
        return { client, results: result }
      },
    }
  }

  async #send<Result>(
    run: (client: PgClient) => Promise<Result>,
  ): Promise<{ readonly client: PgClient; readonly result: Result }> {
    // A ping and a statement may be due at the same time.
    while (this.#running) await this.#running
    const client = this.#client
    if (!client) throw new ConnectionLostError(LOST)
    const sentAt = { monotonic: performance.now(), system: Date.now() }
    let end!: () => void
    this.#running = new Promise((resolve) => (end = resolve))
    try {
      const result = await run(client)
      this.#confirmed = sentAt
      return { client, result }
    } catch (error) {
      const cause = error instanceof BatchFailedError ? error.cause : error
      this.onFailure(cause)
      if (this.#client === client && !isConnectionError(cause)) throw error
      this.#lose(client)
      throw new ConnectionLostError(LOST, { cause })
    } finally {
      this.#running = undefined
      end()
    }
  }

  get client(): PgClient | undefined {
    return this.#client
  }

  /**
   * A group could not begin because this process no longer leads. Opens the connection again, and returns why the group failed.
   */
  async whyNotLeading(cause: unknown): Promise<unknown> {
    if (this.#client) this.#lose(this.#client)
    return this.reconnect().then(
      () => new GroupRolledBackError(cause),
      (error: unknown) => error,
    )
  }

  /**
   * Resolves when the server sends a notification of a channel. A pooler may also pass on notifications that are meant for other
   * clients.
   */
  notificationOf(channel: string): Promise<true> {
    return new Promise((resolve) => {
      this.#client?.on('notification', (message) => message.channel === channel && resolve(true))
    })
  }

  /** Runs a statement over a separate connection, which is opened only for this statement. */
  queryAlone = async (text: string, timeoutMs = QUERY_TIMEOUT_MS): Promise<PgResult> => {
    const client = this.#newClient(timeoutMs)
    client.on('error', () => undefined)
    await client.connect()
    try {
      return lastOf(await client.query(text))
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  #nameFor(text: string): string | undefined {
    const existing = this.#names.get(text)
    if (existing !== undefined) return existing
    // Lists of different lengths are different statements, so there can be any number of them.
    if (this.#names.size >= MAX_PREPARED_STATEMENTS) return undefined
    const name = `s${this.#names.size}`
    this.#names.set(text, name)
    return name
  }

  #lose(client: PgClient): void {
    if (this.#client !== client) return
    this.#client = undefined
    if (this.#isReady) {
      this.#giveUpAt = performance.now() + RECONNECT_MS
      this.#problem = undefined
    }
    this.#isReady = false
    this.#state.forget()
    void client.end().catch(() => undefined)
    // Reconnects at once, so that the sandbox works again before its next call.
    if (!this.#isClosed) void this.reconnect().catch(() => undefined)
  }

  /** Waits for a connection, up to a limit. */
  async reconnect(): Promise<void> {
    if (this.#isReady) return
    const deadline = new AbortController()
    const waitMs = Math.max(0, this.#giveUpAt - performance.now())
    const timeout = pause(waitMs, undefined, { signal: deadline.signal }).then(
      () => Promise.reject(this.#whyNotConnected()),
      () => undefined,
    )
    await Promise.race([this.#connectAgain(), timeout]).finally(() => deadline.abort())
  }

  #whyNotConnected(): unknown {
    const isExplained = postgresTroubleOf(this.#problem) !== undefined
    return isExplained ? this.#problem : new ConnectionLostError(LOST, { cause: this.#problem })
  }

  /** Waits for a connection. Rejects if this process can no longer get one. */
  async #connectAgain(): Promise<void> {
    if (this.#isReady) return
    if (this.#isLost()) throw this.#problem
    this.#connecting ??= this.#tryToConnect().finally(() => (this.#connecting = undefined))
    await this.#connecting
  }

  /** Retries until there is a connection, or until retrying makes no sense. */
  async #tryToConnect(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#connect()
        return
      } catch (error) {
        this.#problem = error
        if (this.#isLost()) {
          this.#onLost()
          throw error
        }
      }
      await pause(RETRY_MS, undefined, { ref: false })
    }
    throw new ConnectionLostError(LOST)
  }

  #newClient(timeoutMs = QUERY_TIMEOUT_MS): PgClient {
    return new this.#pg.Client({
      connectionString: this.#address.connectionString,
      application_name: 'paylink-sandbox',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: timeoutMs,
      types: { getTypeParser: parserFor },
    })
  }

  async #connect(): Promise<void> {
    const client = this.#newClient()
    client.on('error', () => this.#lose(client))
    client.on('end', () => this.#lose(client))
    try {
      await client.connect()
      // From now on, the server measures how long this connection is silent.
      this.#confirmed = { monotonic: -Infinity, system: -Infinity }
      this.#names = new Map()
      this.#parsed = new ParsedStatements()
      this.#client = client
      this.lastGroup = await this.#prepare(this)
      // The connection may have been lost right after the last answer.
      if (this.#client !== client) throw new ConnectionLostError(LOST)
      this.#isReady = true
    } catch (error) {
      this.#client = undefined
      await client.end().catch(() => undefined)
      throw error
    }
  }
}

/** The result of the last statement with rows. */
const lastOf = (result: PgResult | PgResult[]): PgResult =>
  Array.isArray(result) ? (result.findLast(({ rows }) => rows.length > 0) ?? result.at(-1)!) : result

/** Whether an error means that the session has ended, whether or not the server has sent the error. */
const isConnectionError = (error: unknown): boolean =>
  /^(08|57P0|25P03)/.test(codeOf(error)) ||
  /not queryable|Connection terminated|Query read timeout/.test(String(error))

const BIGINT = 20
const TEXT = 25
const NUMBERS: ReadonlySet<number> = new Set([BIGINT, 21, 23, 26, 700, 701, 1700])
const BOOLEAN = 16

/** All stored integers are below 2^53, so a JavaScript number is exact. */
function parserFor(oid: number): (value: string) => unknown {
  if (oid === TEXT) return decodeText
  if (NUMBERS.has(oid)) return Number
  return oid === BOOLEAN ? (value) => value === 't' : (value) => value
}
