import type { CheckOptions } from './check-options.ts'

/** A check that can be called off. Apart, as whoever compiles against the package may not know `AbortSignal`. */
export interface CheckRun extends CheckOptions {
  readonly signal?: AbortSignal | undefined
}
