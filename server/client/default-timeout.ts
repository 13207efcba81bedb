/**
 * The default timeout of waits. It is shorter than the timeout of a test in Vitest or Jest, so that the error of the wait is
 * shown instead of theirs.
 */
export const DEFAULT_TIMEOUT_MS = 4_000
