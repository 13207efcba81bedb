import seed from '../../fixtures/seed.json' with { type: 'json' }

const [shop, courier, market] = seed.accounts

export const accountId = shop?.id ?? ''
export const token = shop?.apiKey ?? ''

/**
 * What is sent to each operation of the API.
 *
 * @type {Readonly<Record<string, (number: number) => object>>}
 */
export const bodies = {
  createSplitLink: (number) => ({
    amount: 49.9,
    recipients: [
      { token: courier?.recipientToken, share: 30 },
      { token: market?.recipientToken, share: 12.5 },
    ],
    split_type: 'normal',
    recipient_note: `Order ${number}`,
    callback_url: 'http://localhost:3000/payment/done',
    payment_endpoint: '0',
    cancellable: true,
  }),
  createLink: (number) => ({ amount: 49.9, recipient_note: `Order ${number}`, payment_endpoint: '0' }),
  refundPayment: (number) => ({ pay_id: number, refund_amount: 49.9, isFullRefund: true }),
  getTaxInvoiceList: () => ({ page: 1, limit: 10 }),
  sendWebhookViaPayId: (number) => ({ pay_ids: String(number), status: 'Success' }),
}
