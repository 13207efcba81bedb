/** How long a receiver may take to answer a webhook. */
export const WEBHOOK_TIMEOUT_MS = 10_000

/** Shorter than the timeout of a webhook, so that the dispatcher still learns why nobody answered. */
export const TUNNEL_ANSWER_TIMEOUT_MS = WEBHOOK_TIMEOUT_MS - 1_000

/** How long a fault or a check may take to send a body. The receiver still has time to answer. */
export const MAX_SLOW_BODY_MS = WEBHOOK_TIMEOUT_MS - 1_000

/** An answer that takes longer gets a warning. */
export const SLOW_ANSWER_MS = 2_000

/** A time for texts: `10 s`. */
export const formatSeconds = (ms: number): string => `${ms / 1_000} s`
