import type { CheckOptions } from '../../../contract/checks/check.ts'
import type { HttpFetch } from '../../../domain/http/http-fetch.ts'

/**
 * Options of a check, including those that only the sandbox itself uses. They are not part of the package's types, because
 * users' projects may not know `AbortSignal`.
 */
export interface CheckRunOptions extends CheckOptions {
  readonly signal?: AbortSignal | undefined
  /** Requests orders and pages of the app. By default, this process sends the requests. */
  readonly fetchApp?: HttpFetch | undefined
  /**
   * How long the state URL may not know an order, in milliseconds. By default, as long as the app may take to act on a webhook.
   */
  readonly unknownTimeoutMs?: number | undefined
  /** Gets what people should know while the check runs. */
  readonly onNotice?: ((text: string) => void) | undefined
  /** The time limit of the whole check, in milliseconds. By default, there is none. */
  readonly totalTimeoutMs?: number | undefined
}
