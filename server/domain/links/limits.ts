/** The reference shows none of these limits. Each target gets one POST for every outcome. */
export const MAX_TARGETS = 100
export const MAX_RECIPIENTS = 1_000
/** Of one call of sendWebhookViaPayId. */
export const MAX_RESENT_PAY_IDS = 1_000
