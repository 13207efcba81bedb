/**
 * The default timeout of waits. Shorter than the timeout of a test in Vitest or Jest, so that the error of the wait is shown
 * instead.
 */
export const DEFAULT_TIMEOUT_MS = 4_000
