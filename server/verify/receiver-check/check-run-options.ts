import type { CheckOptions } from '../../contract/checks/check.ts'
import type { HttpFetch } from '../../domain/http/http-fetch.ts'

/**
 * Options of a check, including options that only the sandbox itself uses. They are not part of the package's types, because
 * projects that compile against the package may not know `AbortSignal`.
 */
export interface CheckRunOptions extends CheckOptions {
  readonly signal?: AbortSignal | undefined
  /** Requests orders and pages of the app. By default this process requests them itself. */
  readonly fetchApp?: HttpFetch | undefined
  /**
   * How long the state URL may know no order at all, in milliseconds. By default, as long as an app may take to act on a webhook.
   */
  readonly unknownTimeoutMs?: number | undefined
  /** The limit for the whole check, in milliseconds. By default there is none. */
  readonly totalTimeoutMs?: number | undefined
}
