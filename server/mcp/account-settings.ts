import { accountFields } from '../contract/schemas/account-fields.ts'

const { name, paymentEndpoint, callbackUrls, webhookUrls, bankTransfer } = accountFields

/** The settings of an account that tools set. */
export const accountSettings = { name, paymentEndpoint, callbackUrls, webhookUrls, bankTransfer }
