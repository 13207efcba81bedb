import { expect } from 'vitest'
import { connectSandbox } from '../../../server/client/connect-sandbox.ts'
import { mistakes } from '../../../fixtures/laboratory/mistakes.ts'
import { oddities, stockOf } from '../../../fixtures/laboratory/oddities.ts'
import { Shop, startShop } from '../../../fixtures/laboratory/shop.ts'
import type { callerCases } from '../../../server/verify/caller-check/cases.ts'
import type { CheckName } from '../../../server/verify/receiver-check/cases.ts'
import { checkShop } from '../../support/check-shop.ts'
import { test } from '../../support/test.ts'

test.for<[mistake: string, cases: readonly CheckName[], firstLine: unknown]>([
  [
    'refuses-cut-cents',
    ['amount-odd', 'older-link-paid', 'both-links-paid', 'json-fields'],
    expect.stringMatching(/^Your app refuses the payment of the exact amount of an order of €/),
  ],
  [
    'stock-taken-twice',
    ['form-encoded-brackets', 'json'],
    'A single payment fulfills the order more than once',
  ],
  [
    'no-webhook-address',
    ['form-encoded-brackets', 'json'],
    'Your app answers every webhook with 404 "Not found", and its payment links name no payment_endpoint',
  ],
  [
    'decodes-each-piece',
    ['repeated', 'slow-json'],
    'Your app does not accept a webhook in JSON that arrives in pieces',
  ],
  [
    'normalizes-notes',
    ['repeated', 'note-odd'],
    'Your app refuses the payment of an order with a combined accent in the note',
  ],
  [
    'cancelled-order-has-no-price',
    ['repeated', 'forged-amount'],
    'A webhook with a wrong amount for a cancelled order marks the order as paid',
  ],
  [
    'compares-account-of-forms-only',
    ['repeated', 'forged-user'],
    'A webhook in JSON with the user_id of no account marks the order as paid',
  ],
  [
    'suspicion-never-ends',
    ['repeated', 'refused-first'],
    'After a webhook with a wrong amount, the real payment does not pay the order',
  ],
  [
    'missing-user-id-is-right',
    ['repeated', 'forged-user', 'missing-user-id'],
    'A webhook without a user_id marks the order as paid',
  ],
  [
    'unknown-order-fails',
    ['repeated', 'unknown-pay-id'],
    'Your app fails when a webhook belongs to no order',
  ],
  [
    'late-cancel-wins',
    ['success-with-cancel', 'cancel-after-success'],
    'A late cancel makes a paid order unpaid',
  ],
  [
    'unknown-status-closes',
    ['repeated', 'refused-first'],
    expect.stringMatching(/^After a webhook with the status \w+, the real payment does not pay the order$/),
  ],
  [
    'float-column-of-price',
    ['repeated', 'amount-odd'],
    'A payment of the exact amount does not pay an order of €654,321.09',
  ],
  [
    'creates-unknown-orders',
    ['repeated', 'unknown-pay-id'],
    'A webhook that belongs to no order creates a paid order',
  ],
  [
    'note-prefix',
    ['repeated', 'note-similar'],
    'The payment of one order marks another order with a similar note as paid',
  ],
  [
    'session-has-one-link',
    ['repeated', 'two-orders-of-one-customer'],
    'The second order of a customer gets the pay link of the first one',
  ],
  [
    'surplus-refunded-each-time',
    ['repeated', 'both-links-paid'],
    'If the webhook of a second payment comes again, your app requests its refund again',
  ],
  [
    'late-cancel-puts-goods-back',
    ['cancel-after-success'],
    'A late cancel undoes the fulfillment of a paid order, or puts its goods back',
  ],
  [
    'json-cuts-cents',
    ['json', 'json-fields'],
    expect.stringMatching(/^In JSON, a webhook with €[\d.,]+ does not pay the order$/),
  ],
  [
    'json-status-exactly',
    ['json', 'json-fields'],
    'In JSON, a webhook with the status success does not pay the order',
  ],
  [
    'json-in-one-line',
    ['json', 'json-fields'],
    'In JSON, a webhook with line breaks and spaces does not pay the order',
  ],
  ['json-cancel-ignored', ['json', 'json-fields'], 'A cancel in JSON does not cancel the order'],
  ['old-price-pays', ['repeated', 'old-price-paid'], 'An older link with a lower price pays the whole order'],
  [
    'garbage-stops-queue',
    ['many-at-once', 'garbage-json'],
    'After a webhook that your app cannot read, other orders are lost or stay unpaid',
  ],
  [
    'unknown-order-stops-chain',
    ['repeated', 'many-at-once', 'unknown-pay-id'],
    'After a webhook that belongs to no order, other orders are lost or stay unpaid',
  ],
  [
    'refuses-large-webhooks',
    ['repeated', 'note-odd'],
    expect.stringMatching(/^Your app refuses a webhook of \d{4} bytes, because it is too large$/),
  ],
  [
    'empty-note-no-address',
    ['repeated', 'note-empty'],
    'The link of an order without a note has no payment_endpoint, although other links have one',
  ],
  [
    'second-link-no-address',
    ['newer-link-paid', 'both-links-paid', 'changed-order-paid'],
    'The second link of an order has no payment_endpoint, although other links have one',
  ],
  [
    'webhook-address-shared',
    ['form-encoded-brackets', 'json', 'repeated', 'many-at-once'],
    'If customers order at the same time, two orders get the same webhook address',
  ],
  [
    'price-changes-after-link',
    ['repeated', 'changed-order-paid'],
    'Who orders again for another price gets a link with an old price',
  ],
  [
    'older-payments-refused',
    ['form-encoded-brackets', 'late-payment'],
    'Your app accepts the payment of a new order, and refuses that of an older one',
  ],
  [
    'page-waits-for-webhook',
    ['repeated', 'redirect-before-webhook'],
    'The return page does not answer in time',
  ],
  [
    'shares-rounded-up',
    ['repeated', 'newer-link-paid'],
    expect.stringMatching(
      /^Some orders get no payment link, because the service refused the call of createSplitLink: "/,
    ),
  ],
  [
    'odd-bytes-empty-store',
    ['repeated', 'garbage-form', 'late-payment', 'closing-look'],
    'After a webhook that your app cannot read, other orders are lost or stay unpaid',
  ],
  [
    'cancelled-orders-deleted',
    ['repeated', 'success-after-cancel', 'success-after-cancel-redirect'],
    'Your app has lost an order that a customer can still pay',
  ],
  [
    'references-come-again',
    ['form-encoded-brackets', 'many-at-once'],
    'Different orders get the same reference, so their payments are mixed up',
  ],
  [
    'order-stored-later',
    ['form-encoded-brackets', 'json'],
    'A payment right after the order is lost, and one that comes some seconds later is not',
  ],
  ['numbers-by-the-hour', ['form-encoded-brackets'], 'The payment of one order pays another one'],
  ['finds-last-of-its-number', ['repeated', 'many-at-once'], 'The payment of one order pays another one'],
  ['finds-orders-by-amount', ['form-encoded-brackets'], 'The payment of one order pays another one'],
  ['paid-later-undone', ['repeated', 'closing-look'], 'Some seconds later, a paid order is no longer paid'],
  [
    'cancel-page-refunds',
    ['repeated', 'cancel-redirect-after-success', 'late-cancel'],
    'Your app refunds a paid order when the customer returns with status=cancel',
  ],
  [
    'cancelled-link-refused',
    ['cancelled-twice', 'success-after-cancel', 'both-links-paid'],
    'Your app refuses the payment of a link that was cancelled',
  ],
  [
    'repetition-sets-shipped-back',
    ['repeated', 'closing-look', 'late-repetition'],
    'A webhook that comes again sets a shipped order back to an earlier state',
  ],
  [
    'ships-before-call-fails',
    ['repeated', 'service-down'],
    'A webhook that comes again after calls to the service have failed fulfills the order again',
  ],
  [
    'store-without-a-lock',
    ['success-with-cancel', 'many-at-once'],
    'If many customers pay at once, some orders stay unpaid',
  ],
  [
    'one-lock-for-all',
    ['success-with-cancel', 'many-at-once'],
    'If many customers pay at once, your app does not accept some of their payments',
  ],
  [
    'reads-amount-as-integer',
    ['form-encoded-brackets', 'json', 'redirect-before-webhook', 'amount-whole'],
    'The payment of an order with cents, such as 42.50, does not pay it',
  ],
  [
    'refuses-decimal-point',
    ['form-encoded-brackets', 'json', 'redirect-before-webhook', 'amount-whole'],
    'The payment of an order with cents, such as 42.50, does not pay it',
  ],
  ['reads-json-only', ['form-encoded-brackets', 'json'], 'Your app reads webhooks in JSON, but not as forms'],
  [
    'every-other-webhook-fails',
    ['form-encoded-brackets', 'json', 'many-at-once', 'unknown-pay-id'],
    'Your app answers some good webhooks with 500, and accepts others like them',
  ],
  [
    'every-third-webhook-fails',
    ['form-encoded-brackets', 'json', 'older-link-paid', 'garbage-form'],
    'Your app answers some good webhooks with 500, and accepts others like them',
  ],
  [
    'every-third-connection-closed',
    ['form-encoded-brackets', 'json', 'many-at-once', 'garbage-form'],
    'Your app leaves some good webhooks without an answer, and accepts others like them',
  ],
  [
    'repetition-refunds',
    ['repeated', 'both-links-paid'],
    'Your app refunds a payment whose webhook comes again',
  ],
  ['note-as-pattern', ['unknown-pay-id'], 'A webhook whose note is only the sign % pays an order'],
  [
    'note-with-wildcard',
    ['unknown-pay-id'],
    'A webhook whose note has the sign _ instead of a letter pays an order',
  ],
  [
    'locked-after-forgeries',
    ['refused-first'],
    'After 11 forged webhooks, your app also refuses the real payment',
  ],
  [
    'link-reopens-paid',
    ['repeated', 'webhook-before-order'],
    'If a payment comes while your app still waits for the link, the order is paid, and then open again',
  ],
  [
    'reference-cut-off',
    ['repeated', 'note-long'],
    'Your app cuts the note of a link after 255 characters, and loses what it adds at its end',
  ],
  [
    'equal-amounts-dropped',
    [
      'form-encoded-brackets',
      'form-charset',
      'json',
      'repeated',
      'many-at-once',
      'extra-fields',
      'note-utf8',
    ],
    'If two customers pay the same amount within seconds, only the first payment counts',
  ],
  [
    'page-offers-link-of-browser',
    ['repeated', 'changed-order-paid'],
    'The page of an order offers the pay link that the browser has got last, not that of the order',
  ],
])(
  'the report of a shop with the mistake %s begins with the cause',
  async ([id, only, title], { sandbox }) => {
    const { change, options } = mistakes.find((one) => one.id === id)!

    const report = await checkShop(sandbox.url, change, {
      countPointer: '/fulfilled,/stock',
      only: [...only],
      ...options,
    })

    expect(report.mistakes.map((one) => one.title)[0]).toEqual(title)
  },
)

test.for<[mistake: string, outcome: string]>([
  ['one-lock-for-all', 'passed'],
  ['first-webhook-after-pause-fails', 'failed'],
])('the age of an order is not blamed for the mistake %s', async ([id, outcome], { sandbox }) => {
  const { change } = mistakes.find((one) => one.id === id)!

  const { results } = await checkShop(sandbox.url, change, {
    only: ['form-encoded-brackets', 'cancelled', 'late-payment'],
  })

  const late = results.find(({ name }) => name === 'late-payment')
  expect([late?.outcome, late?.fact]).toEqual([outcome, undefined])
})

test('an amount with a wrong zero is named as one', async ({ sandbox }) => {
  const { change } = mistakes.find(({ id }) => id === 'records-cents-without-zero')!

  const { mistakes: found } = await checkShop(sandbox.url, change, {
    receivedPointer: '/received',
    only: ['amount-odd'],
  })

  expect(found[0]).toMatchObject({ title: 'A payment is recorded with a zero too few or too many' })
})

test.for<[mistake: string, notChecked: RegExp | undefined]>([
  ['no-webhook-address', /name no payment_endpoint\. Their webhooks go to the default of the account, http/],
  ['ships-forged-amounts', undefined],
])('the report of a shop with the mistake %s says where its links lead', async ([id, line], { sandbox }) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount({ paymentEndpoint: 'http://127.0.0.1:9/default' })
  const { change } = mistakes.find((one) => one.id === id)!
  await using shop = await startShop({ url: sandbox.url, apiKey }, change)

  const { notChecked } = await handle.check(shop.receiver, {
    orderUrl: shop.orderUrl,
    orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
    stateUrl: shop.stateUrl,
    only: ['form-encoded-brackets'],
  })

  const elsewhere = notChecked.filter((one) => one.startsWith(shop.receiver))
  expect(elsewhere).toEqual(line === undefined ? [] : [expect.stringMatching(line)])
})

test('if a payment pays another order, the other cases are skipped', async ({ sandbox }) => {
  const { change } = mistakes.find(({ id }) => id === 'numbers-by-the-hour')!

  const { results } = await checkShop(sandbox.url, change, {
    only: ['form-encoded-brackets', 'json'],
  })

  expect(results.map(({ outcome, seen }) => [outcome, seen])).toEqual([
    ['failed', expect.stringContaining('another order is paid')],
    ['skipped', 'a payment of one order pays another one: mend form-encoded-brackets first'],
  ])
})

test('after some long waits without success, the check waits more briefly, and finds where the payments went', async ({
  sandbox,
}) => {
  const { change } = mistakes.find(({ id }) => id === 'number-taken-for-id')!

  const report = await checkShop(sandbox.url, change, {
    receivedPointer: '/received',
    only: [
      'json',
      'garbage-form',
      'unknown-pay-id',
      'note-odd',
      'amount-odd',
      'second-payment',
      'repeated',
      'late-payment',
    ],
  })

  const limits = report.results
    .map(({ seen }) => Number(/not paid within ([\d.]+) s/.exec(seen)?.[1]))
    .filter((limit) => !Number.isNaN(limit))
  expect(Math.max(...limits)).toBe(5)
  expect(Math.min(...limits)).toBeLessThan(5)
  expect(report.mistakes[0]).toMatchObject({ title: 'The payment of one order pays another one' })
})

test('an app that is slow for some webhooks does not hold up the whole check', async ({ sandbox }) => {
  const { change } = mistakes.find(({ id }) => id === 'one-webhook-in-eight-late')!

  const { results, mistakes: found } = await checkShop(sandbox.url, change)

  expect(found[0]!.title).toBe('Your app does not answer in time')
  const unsent = results.filter(({ seen }) => seen.startsWith('your app does not answer webhooks in time'))
  expect(unsent.length).toBeGreaterThan(results.length / 4)
})

test.for<[mistake: string, only: CheckName, firstLine: unknown]>([
  [
    'reopened-by-old-webhook',
    'refund-clicked-twice',
    'The webhook of a refunded payment pays or fulfills the order that is placed again',
  ],
  [
    'no-second-parcel',
    'refund-clicked-twice',
    'An order that is placed and paid again after its refund is not fulfilled again',
  ],
  [
    'part-of-each-payment',
    'refund-of-a-part',
    'The refund of a part is requested for each payment of the order',
  ],
  [
    'older-cancel-after-refund',
    'payment-after-refund',
    'A late cancel of its other link changes a refunded order',
  ],
  [
    'part-stops-parcel',
    'refund-before-fulfilment',
    'If a part is refunded before an order is fulfilled, the rest is not fulfilled',
  ],
  [
    'refund-click-ignored',
    'return-after-refund',
    'Your app ignores a click on the refund button, and requests the refund at a later one',
  ],
  ['fails-after-refund', 'return-after-refund', 'Your app fails after the service has accepted a refund'],
  [
    'surplus-refund-refused',
    'both-links-paid',
    expect.stringMatching(/^The service refuses a refund that your app requests: ".+"$/),
  ],
  [
    'refund-names-newest-payment',
    'both-links-paid',
    'If an order was paid twice, a refund names the payment that was sent back already',
  ],
])(
  'the report of a shop with refunds like %s begins with the cause',
  async ([id, only, title], { sandbox }) => {
    const { change } = mistakes.find((one) => one.id === id)!

    const { mistakes: found } = await checkShop(sandbox.url, change, (shop) => ({
      refundUrl: `${shop.refundUrl}?amount={refundAmount}`,
      countPointer: '/fulfilled',
      receivedPointer: '/received',
      refundedPointer: '/refunded',
      cancelledValue: 'cancelled',
      timeoutMs: 2_000,
      only: [only],
    }))

    expect(found.map((one) => one.title)).toEqual([title])
  },
)

test.for<[mistake: string, cases: readonly CheckName[], onlyLine: string]>([
  [
    'cancel-pays',
    [
      'cancelled',
      'cancelled-twice',
      'cancelled-state',
      'redirect-after-cancel',
      'forged-amount',
      'forged-user',
    ],
    'A cancel webhook marks the order as paid',
  ],
  [
    'repetition-refunds-order',
    [
      'connection-lost',
      'repeated',
      'resent-later',
      'repeated-differently',
      'repeated-at-once',
      'success-after-late-cancel',
      'second-payment',
      'both-links-paid',
      'refund-of-a-part',
      'repeated-after-refund',
      'late-repetition',
    ],
    'Your app refunds a payment whose webhook comes again',
  ],
])(
  'the report of a shop with the mistake %s names nothing that is only a consequence',
  async ([id, only, title], { sandbox }) => {
    const { change } = mistakes.find((one) => one.id === id)!

    const { failed, mistakes: found } = await checkShop(sandbox.url, change, (shop) => ({
      refundUrl: `${shop.refundUrl}?amount={refundAmount}`,
      countPointer: '/fulfilled',
      refundedPointer: '/refunded',
      cancelledValue: 'cancelled',
      only: [...only],
    }))

    expect(failed).toBeGreaterThan(1)
    expect(found.map((one) => one.title)).toEqual([title])
  },
)

test('if an app answers 503 to good webhooks, the report says how often', async ({ sandbox }) => {
  const { change } = oddities.find(({ id }) => id === 'every-eighth-webhook-503')!

  const { failed, notChecked } = await checkShop(sandbox.url, change, {
    only: ['form-encoded-brackets', 'json', 'repeated', 'note-utf8', 'note-odd'],
  })

  expect(failed).toBe(0)
  expect(notChecked).toContainEqual(
    expect.stringMatching(/^Whether .* 503, as it did for [12] of \d+ good webhooks\./),
  )
})

const RUN_OUT: readonly CheckName[] = [
  'repeated-at-once',
  'success-with-cancel',
  'second-payment-at-once',
  'many-at-once',
  'webhook-before-order',
]

test('if the stock of an app ends, the cases without an order are skipped, and the report says so', async ({
  sandbox,
}) => {
  const { failed, skipped, notChecked } = await checkShop(sandbox.url, stockOf(70), {
    only: RUN_OUT,
  })

  expect([failed, skipped > 0]).toEqual([0, true])
  expect(notChecked).toContainEqual(
    expect.stringMatching(
      /webhook-before-order.*, because your app took (?:6\d|70) orders, and then refused every further one: http:\S+ answered 409 "Sold out"\. For the check, give your app enough stock, /,
    ),
  )
})

test('an app that refuses some orders, and takes others like them, is still blamed', async ({ sandbox }) => {
  let placed = 0

  const { mistakes: found } = await checkShop(
    sandbox.url,
    {
      async placeOrder(c) {
        placed += 1
        return placed > 60 && placed % 4 === 0
          ? c.text('Sold out', 409)
          : Shop.prototype.placeOrder.call(this, c)
      },
    },
    {
      only: RUN_OUT,
    },
  )

  expect(found.map(({ problem }) => problem)).toEqual(['order-refused'])
})

test('an order that is refused before a webhook fails its case, and does not end the check', async ({
  sandbox,
}) => {
  const { results } = await checkShop(
    sandbox.url,
    {
      async placeOrder(c) {
        const { note } = await this.readOrder(c)
        return note.startsWith('check webhook before order')
          ? c.text('Error', 500)
          : Shop.prototype.placeOrder.call(this, c)
      },
    },
    {
      only: ['webhook-before-order', 'repeated'],
    },
  )

  expect(results.map(({ problem }) => problem)).toEqual([null, 'order-refused'])
})

test('a caller that takes no very large orders is not blamed, and the report says so', async ({
  sandbox,
}) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  const { change } = oddities.find(({ id }) => id === 'no-order-above-a-million')!
  await using shop = await startShop({ url: sandbox.url, apiKey }, change)

  const { results } = await handle.checkCaller(shop.orderUrl, {
    orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
    only: ['amount-large'],
  })

  expect(results).toMatchObject([
    {
      outcome: 'skipped',
      seen: 'the app created no order of such an amount',
      example: expect.stringContaining('€25,000,000'),
    },
  ])
})

test('a case that runs code of its own says what it expects, and a boolean cannot show a cancel', async ({
  sandbox,
}) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  const { change } = mistakes.find(({ id }) => id === 'price-changes-after-link')!
  const isPaid: typeof change = {
    showState: async (c) => {
      const order = shop.shop.orders.get(c.req.param('key') ?? '')
      return c.json({ paid: order?.status === 'paid' })
    },
  }
  await using shop = await startShop({ url: sandbox.url, apiKey }, { ...change, ...isPaid })

  const { results } = await handle.check(shop.receiver, {
    orderUrl: shop.orderUrl,
    orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
    stateUrl: shop.stateUrl,
    statePointer: '/paid',
    paidValue: 'true',
    only: ['repeated', 'changed-order-paid', 'cancelled-state'],
  })

  const changed = results.find(({ name }) => name === 'changed-order-paid')
  const cancelled = results.find(({ name }) => name === 'cancelled-state')
  expect([changed?.outcome, changed?.expected]).toEqual([
    'failed',
    'Compare the payment with the amount of its link. The price may have changed',
  ])
  expect([cancelled?.outcome, cancelled?.seen]).toEqual([
    'skipped',
    expect.stringContaining('is only true or false, and does not show whether an order is cancelled'),
  ])
})

test('if an app reads only JSON, its refunds are not blamed', async ({ sandbox }) => {
  const { change } = mistakes.find(({ id }) => id === 'reads-json-only')!

  const { results, mistakes: found } = await checkShop(sandbox.url, change, (shop) => ({
    refundUrl: shop.refundUrl,
    timeoutMs: 1_000,
    only: ['form-encoded-brackets', 'json', 'success-after-refund', 'calls-after-payment'],
  }))

  expect(found.map(({ title }) => title)).toEqual(['Your app reads webhooks in JSON, but not as forms'])
  expect(results.map(({ outcome }) => outcome)).toEqual(['failed', 'passed', 'skipped', 'skipped'])
})

type CallerCaseName = (typeof callerCases)[number]['name']

test.for<[mistake: string, cases: readonly CallerCaseName[], firstLine: string]>([
  [
    'foreign-pay-link',
    ['normal-order', 'second-tab'],
    'Customers get a pay link that does not belong to their order',
  ],
  [
    'page-fails-on-note',
    ['normal-order', 'note-emoji'],
    'The return page does not work if the order has emoji in its note',
  ],
  [
    'failure-as-500',
    ['normal-order', 'refused', 'web-page'],
    'If a payment cannot be started, your app answers 500, as if its own code had failed',
  ],
  [
    'blocked-after-failure',
    ['normal-order', 'refused', 'server-error-long'],
    'After a failed call, customers who order again get no payment link',
  ],
  [
    'low-amounts-become-zero',
    ['normal-order', 'amount-cents'],
    'Orders of some amounts, such as €0.29, get no payment link',
  ],
  [
    'price-rounded-twice',
    ['normal-order', 'second-order', 'amount-cents'],
    'The payment link of an order of €1.15 has a different amount',
  ],
  [
    'page-of-latest-order',
    ['normal-order', 'second-order'],
    'The page of one order shows another order of the same customer',
  ],
  [
    'page-offers-link-of-browser',
    ['normal-order', 'second-order'],
    'The page of one order shows another order of the same customer',
  ],
  [
    'page-address-shared',
    ['normal-order', 'orders-at-once'],
    'If customers order at the same time, one of them returns to the order of another one',
  ],
  [
    'redirects-after-cancel',
    ['normal-order', 'return-markup'],
    'A page of your app sends customers to any site that its address names',
  ],
  [
    'links-to-scripts',
    ['normal-order', 'return-markup'],
    'A link on a page of your app runs any script that the address of the page names',
  ],
  ['token-not-verified', ['normal-order', 'order-of-another'], 'Customers see the orders of others'],
  ['number-in-base64', ['normal-order', 'order-of-another'], 'Customers see the orders of others'],
  ['data-by-number', ['normal-order', 'order-of-another'], 'Customers see the orders of others'],
  ['data-cached-by-path', ['normal-order', 'order-of-another'], 'Customers see the orders of others'],
  ['cuts-emoji', ['note-emoji'], 'Your app cuts long notes in the middle of a character'],
  [
    'confirms-latest-order',
    ['second-order'],
    'Who has two tabs open confirms one order and gets the pay link of the other',
  ],
  [
    'no-webhook-address',
    ['return-before-webhook', 'return-never'],
    'Nothing tells your app about payments: its links have no payment_endpoint',
  ],
  [
    'job-repeats-failed-call',
    ['request-lost', 'server-error-long', 'double-click', 'orders-at-once'],
    'After a failed call, a job in the background creates another link of the order',
  ],
  [
    'order-overwritten',
    ['second-tab-after-payment', 'return-twice'],
    'A paid order becomes unpaid when the customer places it again',
  ],
  [
    'page-reopens-order',
    ['return-cancelled-after-payment', 'return-twice', 'return-elsewhere'],
    'A visit to the return page makes a paid order unpaid',
  ],
  [
    'page-cached-before-payment',
    ['return-cancelled', 'return-before-webhook'],
    'The return page still asks for the payment when the order is paid',
  ],
])(
  'the report of a caller with the mistake %s begins with the cause',
  async ([id, only, title], { sandbox }) => {
    const handle = await connectSandbox(sandbox.url)
    const { apiKey } = await handle.createAccount()
    const { change } = mistakes.find((one) => one.id === id)!
    await using shop = await startShop({ url: sandbox.url, apiKey }, change)

    const report = await handle.checkCaller(shop.orderUrl, {
      orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
      stateUrl: shop.stateUrl,
      cancelledValue: 'cancelled',
      paidText: 'Your order is paid',
      only: [...only],
    })

    expect(report.mistakes.map((one) => one.title)[0]).toBe(title)
    expect(report.notChecked.filter((one) => one.includes('correct --paid-text'))).toEqual([])
  },
)

test('a page whose key is only the name of its order is named under what was not checked', async ({
  sandbox,
}) => {
  const handle = await connectSandbox(sandbox.url)
  const { apiKey } = await handle.createAccount()
  const { change } = mistakes.find(({ id }) => id === 'page-key-is-name-alone')!
  await using shop = await startShop({ url: sandbox.url, apiKey }, change)

  const { notChecked } = await handle.checkCaller(shop.orderUrl, {
    orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
    only: ['order-of-another'],
  })

  expect(notChecked).toContainEqual(
    expect.stringContaining('the key in the address of a page is only the name of its order'),
  )
})
