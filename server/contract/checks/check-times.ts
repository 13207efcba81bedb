/** How long an app may take to act on a webhook, unless the check has another timeout. */
export const ORDER_STATE_TIMEOUT_MS = 5_000

/** How late the service answers while the caller check makes it slow. */
export const LATE_SECONDS = 30

/** How long a customer waits for a slow answer, unless the check has another timeout. */
export const CUSTOMER_TIMEOUT_MS = 15_000

/** The customer must give up before the service answers, so the limit is smaller than the delay of the service. */
export const MAX_CUSTOMER_TIMEOUT_MS = (LATE_SECONDS - 5) * 1_000
