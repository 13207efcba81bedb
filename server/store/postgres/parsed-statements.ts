const MAX_STATEMENTS = 500
/** The server would cut longer names. */
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
   * A new name, which shows what the statement does in the views of the server. Empty if there are too many statements, because
   * the server then forgets this one after its use.
   */
  add(text: string): string {
    // Lists of different lengths are different statements, so their number has no limit.
    if (this.#names.size >= MAX_STATEMENTS) return ''
    const name = `${this.#count++} ${text}`.slice(0, MAX_NAME_LENGTH)
    this.#names.set(text, name)
    return name
  }

  remove(text: string): void {
    this.#names.delete(text)
  }
}
