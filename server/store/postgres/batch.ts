import { encodeCommands } from './encode-commands.ts'
import type { ParsedStatements } from './parsed-statements.ts'
import type { PgConnection, PgResult } from './pg-module.ts'
import type { SqlCommand } from './sql-command.ts'

/** A statement of a batch has failed. The statements before it were executed, and those after it were not. */
export class BatchFailedError extends Error {
  override readonly name = 'BatchFailedError'
  /** The position of the statement. */
  readonly index: number

  constructor(index: number, cause: unknown) {
    super('A statement of a batch has failed.', { cause })
    this.index = index
  }
}

interface Field {
  readonly name: string
  readonly dataTypeID: number
}

type Parse = (value: string) => unknown

/**
 * Several statements in one message, which can be sent in parts. The server runs each part as it arrives, and responds at the
 * end. If a statement fails, the server skips the rest. The driver calls these methods, as it does for its own queries and those
 * of `pg-cursor`.
 */
export class CommandBatch {
  /** The driver replaces this callback to end a batch that takes too long. */
  callback: (error?: unknown) => void
  readonly results: PgResult[] = []
  readonly #parsed: ParsedStatements
  readonly #parserFor: (oid: number) => Parse
  /** The texts of the statements that were added. */
  readonly #texts: string[] = []
  /** The statements that were not sent yet. */
  #unsent: SqlCommand[] = []
  #connection: PgConnection | undefined
  #isComplete = false
  #isSent = false
  #fields: readonly { readonly name: string; readonly parse: Parse }[] = []
  #rows: Record<string, unknown>[] = []
  #hasEnded = false

  constructor(
    parsed: ParsedStatements,
    parserFor: (oid: number) => Parse,
    callback: (error?: unknown) => void,
  ) {
    this.#parsed = parsed
    this.#parserFor = parserFor
    this.callback = callback
  }

  /** Adds statements, and sends them if this batch is the current one. */
  add(commands: readonly SqlCommand[], isLast = false): void {
    this.#isComplete ||= isLast
    if (!this.#hasEnded) {
      for (const command of commands) {
        this.#texts.push(command.text)
        this.#unsent.push(command)
      }
    }
    this.#sendNow()
  }

  submit(connection: PgConnection): void {
    this.#connection = connection
    this.#sendNow()
  }

  #sendNow(): void {
    if (!this.#connection || this.#isSent) return
    // After an error, the server skips everything up to the end of the message.
    const isLast = this.#isComplete || this.#hasEnded
    if (this.#unsent.length === 0 && !isLast) return
    this.#isSent = isLast
    this.#connection.stream.write(encodeCommands(this.#unsent, this.#parsed, isLast))
    this.#unsent = []
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#fields = fields.map(({ name, dataTypeID }) => ({ name, parse: this.#parserFor(dataTypeID) }))
  }

  handleDataRow({ fields: values }: { readonly fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {}
    for (const [index, { name, parse }] of this.#fields.entries()) {
      const value = values[index]!
      row[name] = value === null ? null : parse(value)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const words = text.split(' ')
    this.results.push({ command: words[0]!, rowCount: Number(words.at(-1)), rows: this.#rows })
    this.#fields = []
    this.#rows = []
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handlePortalSuspended(): void {}

  handleError(error: unknown): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const index = this.results.length
    // The server may or may not have parsed these statements, so they get new names.
    for (const text of this.#texts.slice(index)) this.#parsed.remove(text)
    this.#unsent = []
    this.#sendNow()
    this.callback(new BatchFailedError(index, error))
  }

  handleReadyForQuery(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.callback()
  }
}
