import type { CheckOptions } from '../../contract/checks/check.ts'
import type { HttpFetch } from '../../domain/http/http-fetch.ts'

/**
 * Options of a check, with those that only the sandbox itself uses. They are not part of the package's types, because
 * projects that compile against the package may not know `AbortSignal`.
 */
export interface CheckRunOptions extends CheckOptions {
  readonly signal?: AbortSignal | undefined
  /** Requests orders and pages of the app. By default this process requests them itself. */
  readonly fetchApp?: HttpFetch | undefined
  /** The limit for the whole check, in milliseconds. By default there is none. */
  readonly totalTimeoutMs?: number | undefined
}
