import { accountFields } from '../contract/schemas/account-fields.ts'

const { name, paymentEndpoint, callbackUrls, webhookUrls, bankTransfer } = accountFields

/** The account settings that MCP tools can change. */
export const accountSettings = { name, paymentEndpoint, callbackUrls, webhookUrls, bankTransfer }
