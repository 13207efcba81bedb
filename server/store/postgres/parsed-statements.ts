const MAX_STATEMENTS = 500
/** The server truncates longer names. */
const MAX_NAME_LENGTH = 60

/** The statements that a connection has parsed. */
export class ParsedStatements {
  readonly #names = new Map<string, string>()
  #count = 0

  /** The name of a statement that is already parsed. */
  find(text: string): string | undefined {
    return this.#names.get(text)
  }

  /**
   * A new name, which tells a reader of the server's views what the statement does. Empty if there are too many statements,
   * because the server then forgets the statement after it has run.
   */
  add(text: string): string {
    // Lists of different lengths are different statements, so there can be any number of them.
    if (this.#names.size >= MAX_STATEMENTS) return ''
    const name = `${this.#count++} ${text}`.slice(0, MAX_NAME_LENGTH)
    this.#names.set(text, name)
    return name
  }

  remove(text: string): void {
    this.#names.delete(text)
  }
}
