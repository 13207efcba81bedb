import { operations, type Operation } from '../domain/api/operations.ts'
import { createLinkEndpoint } from './operations/create-link.ts'
import { createSplitLinkEndpoint } from './operations/create-split-link.ts'
import type { Endpoint } from './endpoint.ts'
import { getTaxInvoiceListEndpoint } from './operations/get-tax-invoice-list.ts'
import { refundPaymentEndpoint } from './operations/refund-payment.ts'
import { sendWebhookViaPayIdEndpoint } from './operations/send-webhook-via-pay-id.ts'

const byOperation = {
  createSplitLink: createSplitLinkEndpoint,
  createLink: createLinkEndpoint,
  refundPayment: refundPaymentEndpoint,
  getTaxInvoiceList: getTaxInvoiceListEndpoint,
  sendWebhookViaPayId: sendWebhookViaPayIdEndpoint,
} as const satisfies Record<Operation, Endpoint>

export type Endpoints = typeof byOperation

/** The endpoint of each operation, in the order of the reference. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  operations.map((name) => [name, byOperation[name]]),
)
