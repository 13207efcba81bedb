import type { PgConnection, PgResult } from './pg-module.ts'

/** One statement of a batch. */
export interface SqlCommand {
  readonly text: string
  /** As the server gets them. */
  readonly values: readonly (string | null)[]
  /** Whether the caller needs its rows. */
  readonly hasRows: boolean
}

export const sqlCommand = (text: string, values: SqlCommand['values'] = [], hasRows = false): SqlCommand => ({
  text,
  values,
  hasRows,
})

/** A statement of a batch has failed. The statements before it were executed, the statements after it were not. */
export class BatchFailed extends Error {
  override readonly name = 'BatchFailed'
  /** The position of the statement. */
  readonly index: number

  constructor(index: number, cause: unknown) {
    super('A statement of a batch has failed.', { cause })
    this.index = index
  }
}

const MAX_STATEMENTS = 500
/** The server cuts longer names. */
const MAX_NAME_LENGTH = 60

/** The statements that the server has parsed for a connection. */
export class ParsedStatements {
  readonly #names = new Map<string, string>()
  #count = 0

  /** The name of a statement that is parsed already. */
  find(text: string): string | undefined {
    return this.#names.get(text)
  }

  /**
   * A new name, which shows in the server's views what the statement does. Empty if there are too many: the server then does not
   * keep the statement.
   */
  add(text: string): string {
    // Lists of different lengths are different statements, so there can be any number.
    if (this.#names.size >= MAX_STATEMENTS) return ''
    const name = `${this.#count++} ${text}`.slice(0, MAX_NAME_LENGTH)
    this.#names.set(text, name)
    return name
  }

  remove(text: string): void {
    this.#names.delete(text)
  }
}

interface Field {
  readonly name: string
  readonly dataTypeID: number
}

type Parse = (value: string) => unknown

/**
 * Several statements in one message. If one fails, the server skips the rest. The driver calls these methods, as it does for its
 * own queries and for those of `pg-cursor`.
 */
export class CommandBatch {
  /** The driver replaces it, to end a batch that takes too long. */
  callback: (error?: unknown) => void
  readonly results: PgResult[] = []
  readonly #commands: readonly SqlCommand[]
  readonly #parsed: ParsedStatements
  readonly #parserFor: (oid: number) => Parse
  #fields: readonly { readonly name: string; readonly parse: Parse }[] = []
  #rows: Record<string, unknown>[] = []
  #hasEnded = false

  constructor(
    commands: readonly SqlCommand[],
    parsed: ParsedStatements,
    parserFor: (oid: number) => Parse,
    callback: (error?: unknown) => void,
  ) {
    this.#commands = commands
    this.#parsed = parsed
    this.#parserFor = parserFor
    this.callback = callback
  }

  submit(connection: PgConnection): void {
    connection.stream.cork()
    for (const { text, values, hasRows } of this.#commands) {
      let statement = this.#parsed.find(text)
      if (statement === undefined) {
        statement = this.#parsed.add(text)
        connection.parse({ name: statement, text, types: [] })
      }
      connection.bind({ portal: '', statement, values })
      if (hasRows) connection.describe({ type: 'P', name: '' })
      connection.execute({ portal: '', rows: 0 })
    }
    connection.sync()
    connection.stream.uncork()
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
    // Nobody knows whether the server has parsed these statements, so they get new names.
    for (const { text } of this.#commands.slice(index)) this.#parsed.remove(text)
    this.callback(new BatchFailed(index, error))
  }

  handleReadyForQuery(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.callback()
  }
}
