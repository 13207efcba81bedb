/** How long an app may take to act on a webhook, unless an option of the check says otherwise. */
export const ORDER_STATE_TIMEOUT_MS = 5_000

/** How long the service takes to respond while the caller check makes it slow. */
export const LATE_SECONDS = 30

/** How long a customer waits for a slow response, unless an option of the check says otherwise. */
export const CUSTOMER_TIMEOUT_MS = 15_000

/**
 * The maximum time that a customer may wait. Smaller than the delay of the service, because the customer must give up before
 * the service responds.
 */
export const MAX_CUSTOMER_TIMEOUT_MS = (LATE_SECONDS - 5) * 1_000
