import { operations, type Operation } from '../../../domain/api/operations.ts'
import { createLinkEndpoint } from './create-link.ts'
import { createSplitLinkEndpoint } from './create-split-link.ts'
import type { Endpoint } from '../endpoint.ts'
import { getTaxInvoiceListEndpoint } from './get-tax-invoice-list.ts'
import { refundPaymentEndpoint } from './refund-payment.ts'
import { sendWebhookViaPayIdEndpoint } from './send-webhook-via-pay-id.ts'

const byOperation = {
  createSplitLink: createSplitLinkEndpoint,
  createLink: createLinkEndpoint,
  refundPayment: refundPaymentEndpoint,
  getTaxInvoiceList: getTaxInvoiceListEndpoint,
  sendWebhookViaPayId: sendWebhookViaPayIdEndpoint,
} as const satisfies Record<Operation, Endpoint>

export type Endpoints = typeof byOperation

/** The endpoint of each operation, in the sequence of the reference. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  operations.map((name) => [name, byOperation[name]]),
)
