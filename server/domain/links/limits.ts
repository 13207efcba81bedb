/** The reference documents none of these limits. For each outcome, each target gets one POST. */
export const MAX_TARGETS = 100
export const MAX_RECIPIENTS = 1_000
/** The maximum number of ids in one call of sendWebhookViaPayId. */
export const MAX_RESENT_PAY_IDS = 1_000
