import type { HttpFetch } from '../domain/http/http-fetch.ts'
import type { CheckOptions } from '../contract/check.ts'

/** A check that can be called off. Apart, as whoever compiles against the package may not know `AbortSignal`. */
export interface CheckRunOptions extends CheckOptions {
  readonly signal?: AbortSignal | undefined
  /** How the app is asked for orders and pages. Without it, from here. */
  readonly fetchApp?: HttpFetch | undefined
  /** How long all of it may take. Without it, as long as it takes. */
  readonly withinMs?: number | undefined
}
