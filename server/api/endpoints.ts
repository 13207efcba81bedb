import { createLinkEndpoint } from './create-link.ts'
import { createSplitLinkEndpoint } from './create-split-link.ts'
import type { Endpoint } from './endpoint.ts'
import { getTaxInvoiceListEndpoint } from './get-tax-invoice-list.ts'
import { refundPaymentEndpoint } from './refund-payment.ts'
import { sendWebhookViaPayIdEndpoint } from './send-webhook-via-pay-id.ts'

/** The operations of the v2 API, under the names their paths have. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map([
  ['createSplitLink', createSplitLinkEndpoint],
  ['createLink', createLinkEndpoint],
  ['refundPayment', refundPaymentEndpoint],
  ['getTaxInvoiceList', getTaxInvoiceListEndpoint],
  ['sendWebhookViaPayId', sendWebhookViaPayIdEndpoint],
])

export const operations: readonly string[] = [...endpoints.keys()]
