/** How long a wait lasts by default: less than a test of Vitest or Jest has, so that what it says is seen. */
export const DEFAULT_TIMEOUT_MS = 4_000
