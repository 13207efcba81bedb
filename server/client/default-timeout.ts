/** The default timeout of waits. It is shorter than that of a Vitest or Jest test, so that the wait's error is shown. */
export const DEFAULT_TIMEOUT_MS = 4_000
