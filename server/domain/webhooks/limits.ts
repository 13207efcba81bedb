/** How long a receiver may take to respond to a webhook. The option `deliveryTimeoutMs` changes this. */
export const WEBHOOK_TIMEOUT_MS = 10_000

/**
 * How long a tunnel waits for a listener's response. It is shorter than the timeout of a webhook, so that the dispatcher gets the
 * tunnel's own response, which says why there is no other.
 */
export const tunnelTimeoutMs = (webhookTimeoutMs: number): number => 0.9 * webhookTimeoutMs

/** The maximum time that a check takes to send a body. It leaves the receiver time to respond. */
export const MAX_SLOW_BODY_MS = WEBHOOK_TIMEOUT_MS - 1_000

/** A response that takes longer causes a finding. */
export const SLOW_ANSWER_MS = 2_000

/** A duration for messages: `10 s`. */
export const formatSeconds = (ms: number): string => `${ms / 1_000} s`
