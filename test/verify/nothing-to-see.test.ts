import { expect } from 'vitest'
import { mistakes } from '../../fixtures/laboratory/mistakes.ts'
import { type Change, Shop, startShop } from '../../fixtures/laboratory/shop.ts'
import { connectSandbox } from '../../server/client/connect-sandbox.ts'
import { test } from '../support/test.ts'

const ORDER_BODY = '{"order":"{order}","amount":{amount},"note":"{note}"}'

const onlyStatus: Change['state'] = ({ status }) => ({ status })

/** Shows as little as possible: notes of its own, one price, no pages, no webhook addresses, and no effect of a cancel. */
const SILENT: Change = {
  toCents: () => 4_250,
  linkFields: (order) => ({ amount: 42.5, recipient_note: `Number ${order.number}` }),
  findOrder(_key, _secret, { pay_id: payId }) {
    return [...this.orders.values()].find(({ links }) => links.some(({ id }) => id === Number(payId)))
  },
  async cancel() {},
  state: onlyStatus,
}

/** Cases that look at something that even the silent shop shows: answers, the state of a paid order, calls and links. */
const LOOKING = `
  form-encoded-brackets form-literal-brackets form-charset json json-charset slow-body
  amount-one-decimal amount-two-decimals note-empty note-utf8 note-reserved note-four-bytes note-long
  note-shared note-similar note-odd extra-fields missing-status missing-amount missing-pay-id
  missing-note missing-user-id unknown-status similar-status status-lowercase garbage-form
  garbage-json empty-body repeated repeated-at-once many-at-once resent-later repeated-differently
  refused-first connection-lost service-down cancelled cancelled-twice cancel-after-success
  success-after-cancel success-with-cancel success-after-late-cancel second-payment
  second-payment-at-once two-orders-of-one-customer changed-order-paid older-link-paid-during-order
  refund-before-payment webhook-before-order forged-amount amount-off-by-a-cent amount-rounded
  amount-too-high amount-not-positive amount-in-two-parts forged-user get-request fields-in-address
  unknown-pay-id answer-to-stranger late-payment closing-look late-repetition late-cancel no-further-links api-key
  order-as-paid json-fields old-price-paid
`
  .trim()
  .split(/\s+/)

const LOOKING_CALLER = `
  normal-order request-lost answer-lost late web-page server-error-once server-error-long
  too-many-calls retry-after refused refused-as-text created-as-text double-click second-tab
  second-browser equal-orders note-empty api-key
`
  .trim()
  .split(/\s+/)

const passed = (results: readonly { readonly name: string; readonly outcome: string }[]) =>
  results.flatMap(({ name, outcome }) => (outcome === 'passed' ? [name] : []))

test('only the listed cases pass in a shop that shows nothing', async ({ sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  await using shop = await startShop({ url: sandbox.url, apiKey }, SILENT)
  const { orderUrl, stateUrl, receiver } = shop
  const options = { orderUrl, orderBody: ORDER_BODY, stateUrl }
  const refundUrl = `${shop.refundUrl}?amount={refundAmount}`

  const { results } = await handle.check(receiver, { ...options, refundUrl, skip: LOOKING })
  const caller = await handle.checkCaller(orderUrl, {
    ...options,
    paidText: 'Your order is paid',
    skip: LOOKING_CALLER,
  })

  expect([passed(results), passed(caller.results)]).toEqual([[], []])
})

test.for<[title: string, name: string, change: Change, reason: string]>([
  [
    'a refund is not shown',
    'refund-refused',
    { refundAccepted() {}, state: onlyStatus },
    'the state of an order does not show its refund: pass --refunded-pointer',
  ],
  [
    'the number of fulfillments is not shown',
    'refund-before-fulfilment',
    { state: onlyStatus },
    'how often an order is fulfilled is not known: pass --count-pointer',
  ],
])('the receiver check says what it cannot see if %s', async ([, name, change, reason], { sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  await using shop = await startShop({ url: sandbox.url, apiKey }, change)
  const { orderUrl, stateUrl, refundUrl, receiver } = shop

  const { notChecked } = await handle.check(receiver, {
    orderUrl,
    orderBody: ORDER_BODY,
    stateUrl,
    refundUrl,
    only: [name],
  })

  expect(notChecked).toContain(`${name}, because ${reason}.`)
})

test('the receiver check restores the behavior that lets a visit pay an order', async ({ sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey, behaviors } = await handle.createAccount()
  const { change } = mistakes.find(({ id }) => id === 'page-asks-for-success')!
  await using shop = await startShop({ url: sandbox.url, apiKey }, change)
  const { orderUrl, stateUrl, receiver } = shop

  const { results } = await handle.check(receiver, {
    orderUrl,
    orderBody: ORDER_BODY,
    stateUrl,
    only: ['redirect-of-another-payment'],
  })

  expect(results).toMatchObject([
    { problem: 'unpaid-webhook', seen: expect.stringContaining('the behavior resendUnpaid=send') },
  ])
  expect(await behaviors.read()).toMatchObject({ resendUnpaid: 'refuse' })
})

const NO_PAID_TEXT =
  'return-elsewhere, because the page of a paid order does not say "Thanks": correct --paid-text'

test.for<[page: string, change: Change, line: string]>([
  ['no page has the text of a paid order', {}, `${NO_PAID_TEXT}.`],
  [
    'it does not run the scripts of pages',
    { page: () => '<div id="page"></div><script src="/app.js"></script>' },
    `${NO_PAID_TEXT}. The check runs no scripts. If a script writes this text, open the page of an unpaid order in a browser, with status=Success in its address: it must not say that the order is paid.`,
  ],
])('the caller check says that %s', async ([, change, line], { sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  await using shop = await startShop({ url: sandbox.url, apiKey }, change)
  const { orderUrl, stateUrl } = shop

  const { notChecked } = await handle.checkCaller(orderUrl, {
    stateUrl,
    paidText: 'Thanks',
    only: ['return-elsewhere'],
  })

  expect(notChecked.at(-1)).toBe(line)
})

test('the caller check skips failures of calls if the app makes none', async ({ sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  let orders = 0
  await using shop = await startShop(
    { url: sandbox.url, apiKey },
    {
      async placeOrder(c) {
        return (orders += 1) === 1 ? Shop.prototype.placeOrder.call(this, c) : c.text('Closed', 403)
      },
    },
  )

  const { results } = await handle.checkCaller(shop.orderUrl, {
    only: ['refused', 'answer-lost', 'retry-after'],
  })

  expect(results.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped', 'skipped'])
})
