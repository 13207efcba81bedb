/** Returns how the reader writes an option: `--port`, `PAYLINK_PORT`, `port in paylink.config.ts` or `port`. */
export type NameOption = (key: string) => string

/**
 * The sandbox was started or used in a wrong way. The message says what is wrong and what to do.
 *
 * A message about an option is a function: `(option) => `${option('port')} is taken``. It names options by key, as
 * `startSandbox` does. The command line calls `named`, which names them as the user set them.
 */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
  readonly #text: string | ((option: NameOption) => string)

  constructor(text: string | ((option: NameOption) => string), options?: { readonly cause?: unknown }) {
    super(typeof text === 'string' ? text : text((key) => key), options)
    this.#text = text
  }

  /** The same error, with other names for the options. */
  named(option: NameOption): UsageError {
    return typeof this.#text === 'string' ? this : new UsageError(this.#text(option), { cause: this })
  }
}
