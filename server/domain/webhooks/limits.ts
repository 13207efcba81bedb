/** How long a receiver may take to answer a webhook, unless the option `deliveryTimeoutMs` says otherwise. */
export const WEBHOOK_TIMEOUT_MS = 10_000

/** Shorter than the timeout of a webhook, so that the dispatcher still learns why there was no response. */
export const TUNNEL_ANSWER_TIMEOUT_MS = WEBHOOK_TIMEOUT_MS - 1_000

/** The maximum time that a check takes to send a body. The receiver still has time to respond. */
export const MAX_SLOW_BODY_MS = WEBHOOK_TIMEOUT_MS - 1_000

/** A slower response is a finding. */
export const SLOW_ANSWER_MS = 2_000

/** A duration for messages: `10 s`. */
export const formatSeconds = (ms: number): string => `${ms / 1_000} s`
