import { COURIER_TOKEN, market, openSandbox, shop } from './open-sandbox.js'

const DAY_MS = 86_400_000

/** The payments that states show, by the pay_id that the story gives them. */
export const payments = {
  delivered: 1001,
  replayed: 1002,
  retried: 1003,
  redirected: 1004,
  unreachable: 1005,
  held: 1006,
  manyTargets: 1007,
  longNote: 1008,
  rightToLeft: 1009,
  emoji: 1010,
  refundRequested: 1011,
  refunded: 1012,
  disputed: 1013,
  disputeLost: 1014,
  transferWaiting: 1015,
  transferRejected: 1016,
  cancelled: 1017,
  declined: 1018,
  unused: 1019,
}

export const LONG_NOTE = `${'A note without an end. '.repeat(30)}${'unbroken'.repeat(20)}`
const LONG_HOST = `https://hooks.${'long-'.repeat(9)}name.example`

/**
 * Writes the story into a database file: payments of all outcomes over three days, refused calls, faults, maps, tunnels,
 * snapshots and accounts.
 *
 * @param {string} db
 * @param {string} app the origin of the app that receives webhooks
 * @param {import('./closing.js').OnClose} onClose
 */
export async function writeStory(db, app, onClose) {
  let ageMs = 3 * DAY_MS
  const sandbox = await openSandbox({ db, now: () => new Date(Date.now() - ageMs) })
  onClose(sandbox.close)
  const { call, control, createLink, pay, url } = sandbox
  const shopPage = { callback_url: 'http://localhost:3000/thanks?order=7' }
  /**
   * @param {string} recipient_note
   * @param {string} payment_endpoint
   * @param {object} [fields]
   */
  const order = async (recipient_note, payment_endpoint, fields = {}) => {
    ageMs *= 0.8
    const payId = await createLink({ recipient_note, payment_endpoint, ...shopPage, ...fields })
    await fetch(`${url}/payment?link_id=${encodeURIComponent(btoa(String(payId)))}`)
    return payId
  }
  /** @param {Parameters<typeof order>} given */
  const paidOrder = async (...given) => {
    const payId = await order(...given)
    await pay(payId, { method: 'card' })
    return payId
  }
  const hooks = `${app}/webhooks/paylink`

  await control('POST', '/accounts', { name: 'A cooperative for flowers and gardens '.repeat(2).trim() })
  await control('POST', '/accounts', { name: 'متجر الزهور' })
  await paidOrder('Order 7: roses', hooks)
  await paidOrder('Order 8: tulips', `${app}/first-500/webhooks`)
  await control('POST', '/deliveries/2/replay', {})
  await control('PATCH', '/behaviors', { retries: '1s,1s' })
  await paidOrder('Order 9', `${app}/503/webhooks`)
  await control('POST', '/clock/advance', { hours: 1 })
  await control('POST', '/settle', {})
  await control('DELETE', '/clock')
  await control('PATCH', '/behaviors', { retries: 'none' })
  await paidOrder('Order 10', `${app}/login/webhooks`)
  await paidOrder('Order 11', 'http://127.0.0.1:9/webhooks')
  await paidOrder('Order 12', 'https://shop.example.com/webhooks/paylink')
  await paidOrder(
    'Order 13, five receivers',
    `0,${hooks},${app}/500/audit,https://shop.example.com/audit,${LONG_HOST}/webhooks,${url}/tunnel/inbox`,
  )
  await paidOrder(LONG_NOTE, hooks, { amount: 123_456.78 })
  await paidOrder('طلب رقم ٧ – باقة ورد', hooks, { amount: 0.01 })
  await paidOrder('🌹🌷💐 Order 14 👩‍👩‍👧‍👦', `${app}/slow/webhooks`, { amount: 999_999_999.99 })

  await paidOrder('Order 15, one rose was broken', hooks)
  await call('refundPayment', { pay_id: payments.refundRequested, refund_amount: 300 })
  await call('refundPayment', { pay_id: payments.refundRequested, refund_amount: 40 })
  await paidOrder('Order 16', hooks)
  await call('refundPayment', { pay_id: payments.refunded, refund_amount: 100, isFullRefund: true })
  await control('POST', `/refunds/${payments.refunded}/approve`)
  await paidOrder('Order 17', hooks)
  await call('refundPayment', { pay_id: payments.disputed, refund_amount: 10 })
  await control('PUT', `/links/${payments.disputed}/dispute`)
  await paidOrder('Order 18', hooks)
  await control('PUT', `/links/${payments.disputeLost}/dispute`)
  await control('DELETE', `/links/${payments.disputeLost}/dispute?outcome=won`)

  await pay(await order('Order 19', hooks), { method: 'bank-transfer' })
  await pay(await order('Order 20', hooks), { method: 'bank-transfer' })
  await control('POST', `/links/${payments.transferRejected}/reject-transfer`)
  await order('Order 21', hooks)
  await control('POST', `/links/${payments.cancelled}/cancel`)
  await order('Order 22', hooks)
  await control('POST', `/links/${payments.declined}/decline`)
  await pay(payments.declined)
  await order('Order 23', hooks)

  await call('createSplitLink', { amount: 42, recipients: [{ token: 'rcpUnknown', share: 30 }] })
  await call('createSplitLink', { amount: 1 })
  await call('createLink', { amount: 'ten' })
  await call('createLink', { amount: 5 }, 'wrongKey')
  await call('createLnk', { amount: 5 })
  await call('getTaxInvoiceList', {})
  await call('sendWebhookViaPayId', { pay_ids: String(payments.delivered), status: 'Success' })
  await sandbox.settled()
  await control('POST', `/links/${payments.delivered}/forged-webhook`, { forgery: 'amount' })

  await control('POST', '/faults', { on: 'api', script: 'latency:1s', operation: 'getTaxInvoiceList' })
  await control('POST', `/faults?account=${market.id}`, { on: 'webhook', script: 'duplicate:2' })
  await call(
    'createLink',
    { amount: 250, recipient_note: 'Stall 12', payment_endpoint: hooks },
    market.apiKey,
  )
  const { links } = await control('GET', '/links?limit=1')
  await pay(links[0].payId, { browser: 'closes' })
  await control('POST', '/faults', { on: 'redirect', script: 'lost', probability: 0.01 })

  await control('PATCH', '/maps', {
    add: [
      { from: 'https://staging.example.com', to: app },
      { from: 'https://*.preview.example.com', to: `${url}/tunnel/previews` },
      { from: LONG_HOST.replace('hooks', 'other'), to: 'http://localhost:3000' },
    ],
  })
  await control('PATCH', '/allowed-hosts', { add: ['hooks.partner.example', '*.internal.example'] })
  await paidOrder('Order 24, mapped', 'https://staging.example.com/webhooks')
  for (const [method, path] of [
    ['POST', '/tunnel/inbox'],
    ['PUT', '/tunnel/inbox/orders/7?with=query'],
    ['GET', `/tunnel/a-tunnel-with-a-rather-long-name-${'and-more-'.repeat(2)}1/`],
  ]) {
    await fetch(url + path, { method, ...(method !== 'GET' && { body: '{"hello": "world"}' }) })
  }
  await control('PUT', '/tunnels/inbox/answer', { status: 503, body: 'later', delayMs: 20 })
  await control('PATCH', `/accounts/${shop.id}`, {
    webhookUrls: [hooks, 'https://shop.example.com/webhooks', `${LONG_HOST}/webhooks`],
  })
  await control('POST', '/snapshots', { name: 'before-the-sale' })
  await control('POST', '/snapshots', { name: 'a-snapshot-with-a-rather-long-name' })
  await call('createSplitLink', {
    amount: 64,
    recipients: [{ token: COURIER_TOKEN, share: 10 }],
    recipient_note: 'Order 25, the newest',
  })
  await sandbox.settled()
}
