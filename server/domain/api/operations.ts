/** The operations of the v2 API, named as in their paths. */
export const operations = [
  'createSplitLink',
  'createLink',
  'refundPayment',
  'getTaxInvoiceList',
  'sendWebhookViaPayId',
] as const

export type Operation = (typeof operations)[number]

export const isOperation = (name: string): name is Operation =>
  (operations as readonly string[]).includes(name)
