/** Returns the name of an option as the user writes it: `--port`, `PAYLINK_PORT`, `port in paylink.config.ts` or `port`. */
export type NameOption = (key: string) => string

/**
 * The sandbox was started or used in a wrong way. The message says what is wrong and what to do. If it mentions an option, it is
 * a function: `(option) => `${option('port')} is taken``. By default, it uses the option's key, as in `startSandbox`. The command
 * line calls `named` to use the name that the user has written.
 */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
  readonly #text: string | ((option: NameOption) => string)

  constructor(text: string | ((option: NameOption) => string), options?: { readonly cause: unknown }) {
    super(typeof text === 'string' ? text : text((key) => key), options)
    this.#text = text
  }

  /** The same error with different names for the options. */
  named(option: NameOption): UsageError {
    return typeof this.#text === 'string' ? this : new UsageError(this.#text(option), { cause: this })
  }
}
