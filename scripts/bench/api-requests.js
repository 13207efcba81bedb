import seed from '../../fixtures/seed.json' with { type: 'json' }

const [shop, courier, market] = seed.accounts

const token = shop?.apiKey ?? ''

/**
 * The request bodies for each operation of the API.
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

/**
 * An API call, as undici request options.
 *
 * @param {string} operation
 * @param {number} number
 */
export const apiRequest = (operation, number) => ({
  method: /** @type {const} */ ('POST'),
  path: `/api/v2/${operation}`,
  headers: { 'content-type': 'application/json', token },
  body: JSON.stringify(bodies[operation]?.(number)),
})

/**
 * A webhook of the service, as undici request options.
 *
 * @param {string} path
 */
export const webhookRequest = (path) => ({
  method: /** @type {const} */ ('POST'),
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'ResponseCode=1&data%5Bpay_id%5D=1001&data%5Bamount%5D=49.9&data%5Bstatus%5D=Success',
})
