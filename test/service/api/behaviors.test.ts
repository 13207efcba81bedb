import { expect } from 'vitest'
import type { BehaviorChoices, BehaviorSettings } from '../../../server/domain/behaviors/behavior.ts'
import {
  assumedBy,
  courier,
  market,
  NOON,
  openSandbox,
  recipients,
  shop,
  type OpenSandbox,
} from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

/** Every way to set a behavior: at startup, while the sandbox runs, and for one account. */
const WAYS = ['by flag', 'by control API', 'for the account'] as const

async function openWith(way: (typeof WAYS)[number], choices: BehaviorChoices): Promise<OpenSandbox> {
  const sandbox = await openSandbox({
    now: () => new Date(NOON),
    ...(way === 'by flag' ? { behaviors: choices } : {}),
  })
  if (way === 'by flag') return sandbox
  const scope = way === 'for the account' ? `?account=${shop.id}` : ''
  expect((await sandbox.rawControl('PATCH', `/behaviors${scope}`, choices)).status).toBe(200)
  return sandbox
}

test.each(WAYS)('payId=%s: pay_id equals id, or never does', async (way) => {
  await using same = await openWith(way, { payId: 'same' })
  await using distinct = await openWith(way, { payId: 'distinct' })

  const payIds = async (sandbox: OpenSandbox) => {
    const { id } = await sandbox.createLink()
    const { answer } = await sandbox.control('POST', `/links/${id}/pay`)
    return [id, answer.link.payId, new URLSearchParams(answer.deliveries[0]!.body).get('data[pay_id]')]
  }
  expect(await payIds(same)).toEqual([1001, 1001, '1001'])
  expect(await payIds(distinct)).toEqual([1001, 700001, '700001'])
  expect(
    (await distinct.call('refundPayment', { pay_id: 1001, refund_amount: 1 })).envelope.ResponseMsg,
  ).toBe('Invalid link ID')
  expect(
    (await distinct.call('refundPayment', { pay_id: 700001, refund_amount: 1 })).envelope.ResponseCode,
  ).toBe(1)
  expect(assumedBy(await same.call('createLink', { amount: 1 }))).toContain('payId')
})

test.each(WAYS)('cancelWebhook=%s: a cancellation sends a webhook, or only redirects', async (way) => {
  await using sends = await openWith(way, { cancelWebhook: 'send' })
  await using skips = await openWith(way, { cancelWebhook: 'skip' })

  const cancel = async (sandbox: OpenSandbox) => {
    const { id } = await sandbox.createLink({ callback_url: 'http://shop.test/done' })
    const cancelled = await sandbox.control('POST', `/links/${id}/cancel`)
    expect(cancelled.answer.redirect).toEqual({ location: 'http://shop.test/done?pay_id=1001&status=cancel' })
    expect(assumedBy(cancelled)).toContain('cancelWebhook')
    return cancelled.answer.deliveries.map(({ status }) => status)
  }
  expect(await cancel(sends)).toEqual(['cancel'])
  expect(await cancel(skips)).toEqual([])
})

test.for(WAYS)(
  'webhookEncoding, amountText and statusText=%s set the bytes of the webhook',
  async (way, { receiver }) => {
    await using usual = await openWith(way, {})
    await using json = await openWith(way, {
      webhookEncoding: 'json',
      amountText: 'two-decimals',
      statusText: 'lowercase',
    })

    for (const sandbox of [usual, json]) {
      const { id } = await sandbox.createLink({
        payment_endpoint: receiver.url,
        callback_url: 'http://shop.test',
      })
      const { answer } = await sandbox.control('POST', `/links/${id}/pay`)
      const spelling = sandbox === usual ? 'Success' : 'success'
      expect(answer.redirect?.location).toBe(`http://shop.test/?pay_id=1001&status=${spelling}`)
    }
    expect(receiver.received.map(({ contentType, body }) => [contentType, body])).toEqual([
      [
        'application/x-www-form-urlencoded',
        expect.stringMatching(/^ResponseCode=1&.*data%5Bamount%5D=100&.*data%5Bstatus%5D=Success/),
      ],
      [
        'application/json',
        expect.stringMatching(/^{"ResponseCode":1,"data":{.*"amount":100\.00,.*"status":"success"/),
      ],
    ])
  },
)

test.for(WAYS)(
  'formEncoding=%s sets which characters of a form are percent-encoded',
  async (way, { receiver }) => {
    await using encoded = await openWith(way, { formEncoding: 'encoded' })
    await using literal = await openWith(way, { formEncoding: 'literal' })
    for (const sandbox of [encoded, literal]) {
      const { id } = await sandbox.createLink({
        payment_endpoint: receiver.url,
        recipient_note: 'Order 7* [ä] + 50 % & more',
      })
      expect(assumedBy(await sandbox.control('POST', `/links/${id}/pay`))).toContain('formEncoding')
    }

    const [first, second] = receiver.received
    expect(first!.body).toContain('&data%5Bnote%5D=Order+7*+%5B%C3%A4%5D+%2B+50+%25+%26+more&')
    expect(second!.body).toContain('&data[note]=Order%207*%20%5B%C3%A4%5D%20%2B%2050%20%25%20%26%20more&')
    expect(second!.pairs).toEqual(first!.pairs)
  },
)

test('a webhook in JSON does not depend on formEncoding', async ({ sandbox }) => {
  await sandbox.control('PATCH', '/behaviors', { webhookEncoding: 'json' })
  const { id } = await sandbox.createLink()
  expect(assumedBy(await sandbox.control('POST', `/links/${id}/pay`))).not.toContain('formEncoding')
})

test.each(WAYS)('errorStatus=%s: errors are HTTP 200, or the matching HTTP status', async (way) => {
  await using ok = await openWith(way, { errorStatus: 'ok' })
  await using http = await openWith(way, { errorStatus: 'http' })

  const refused = async (sandbox: OpenSandbox) => {
    const missing = await sandbox.call('createLink', {})
    const unknown = await sandbox.call('refundPayment', { pay_id: 1, refund_amount: 1 })
    expect(assumedBy(missing)).toContain('errorStatus')
    return [missing.status, unknown.status]
  }
  expect(await refused(ok)).toEqual([200, 200])
  expect(await refused(http)).toEqual([422, 404])
})

test.each(WAYS)('requestBody=%s: form bodies are rejected, or read like JSON', async (way) => {
  await using json = await openWith(way, { requestBody: 'json' })
  await using form = await openWith(way, { requestBody: 'json-or-form' })

  const send = (sandbox: OpenSandbox) =>
    sandbox.call<{ amount: number; recipients: string; is_qr_link: string }>(
      'createSplitLink',
      new URLSearchParams({
        amount: '100.5',
        'recipients[0][token]': courier.recipientToken,
        'recipients[0][share]': '30',
        recipient_note: '007',
        is_qr_link: 'true',
      }).toString(),
      { 'content-type': 'application/x-www-form-urlencoded' },
    )
  const [refused, read] = [await send(json), await send(form)]
  expect(refused.envelope.ResponseMsg).toBe(
    'Content-Type should be application/json, not application/x-www-form-urlencoded',
  )
  expect(read.envelope.data).toMatchObject({
    amount: 100.5,
    recipients: JSON.stringify(recipients),
    recipient_note: '007',
    is_qr_link: 'true',
  })
  expect([refused, read].map(assumedBy)).toEqual([
    expect.arrayContaining(['requestBody']),
    expect.arrayContaining(['requestBody']),
  ])
})

test.each(WAYS)('indexOutOfRange=%s: an index past the end is rejected, or ignored', async (way) => {
  await using refuses = await openWith(way, { indexOutOfRange: 'refuse' })
  await using ignores = await openWith(way, { indexOutOfRange: 'ignore' })

  const body = { amount: 1, payment_endpoint: '7,0', callback_url: '9' }
  const refused = await refuses.call('createLink', body)
  const taken = await ignores.call('createLink', body)
  expect(refused.envelope.ResponseMsg).toBe(
    "callback_url index 9 is out of range, the account's list has 2 entries",
  )
  expect(taken.envelope.data).toMatchObject({ callback_url: '', paymentEndpoint: shop.webhookUrls[0] })
  expect(assumedBy(refused)).toContain('indexOutOfRange')
  expect(assumedBy(taken)).toContain('indexOutOfRange')
})

test.each(WAYS)('resendUnpaid=%s: the webhook of an unpaid link is rejected, or sent', async (way) => {
  await using refuses = await openWith(way, { resendUnpaid: 'refuse' })
  await using sends = await openWith(way, { resendUnpaid: 'send' })

  const resend = async (sandbox: OpenSandbox) => {
    await sandbox.createLink()
    const answer = await sandbox.call('sendWebhookViaPayId', { pay_ids: '1001', status: 'Success' })
    await sandbox.settled()
    const { answer: listed } = await sandbox.control('GET', '/deliveries')
    expect(assumedBy(answer)).toContain('resendUnpaid')
    return [answer.envelope.ResponseCode, listed.deliveries.map(({ cause, state }) => `${cause} ${state}`)]
  }
  expect(await resend(refuses)).toEqual([0, []])
  expect(await resend(sends)).toEqual([1, ['resend delivered']])
})

test.each(WAYS)('numericStrings=%s: numbers in strings are rejected, or accepted', async (way) => {
  await using refuses = await openWith(way, { numericStrings: 'refuse' })
  await using accepts = await openWith(way, { numericStrings: 'accept' })

  const body = { amount: '100', recipients: [{ token: courier.recipientToken, share: '30.5' }] }
  const refused = await refuses.call('createSplitLink', body)
  const taken = await accepts.call('createSplitLink', body)
  expect(refused.envelope.ResponseMsg).toBe('amount should be a finite number')
  expect(taken.envelope.data).toMatchObject({
    amount: 100,
    recipients: JSON.stringify([{ ...recipients[0], share: 30.5 }]),
  })
  expect((await accepts.call('createLink', { amount: 'ten' })).envelope.ResponseMsg).toBe(
    'amount should be a finite number',
  )
  expect(assumedBy(refused)).toContain('numericStrings')
  expect(assumedBy(taken)).toContain('numericStrings')
})

test.each(WAYS)('rateLimit=%s: calls above the rate are rejected for a minute', async (way) => {
  let now = Date.parse(NOON)
  await using sandbox = await openSandbox({
    now: () => new Date(now),
    ...(way === 'by flag' ? { behaviors: { rateLimit: '3/min' } } : {}),
  })
  const scope = way === 'for the account' ? `?account=${shop.id}` : ''
  if (way !== 'by flag') await sandbox.rawControl('PATCH', `/behaviors${scope}`, { rateLimit: '3/min' })

  const statuses: number[] = []
  for (let calls = 0; calls < 5; calls++) statuses.push((await sandbox.call('getTaxInvoiceList', {})).status)
  const limited = await sandbox.call('getTaxInvoiceList', {})
  now += 60_000
  const later = await sandbox.call('getTaxInvoiceList', {})

  expect(statuses).toEqual([200, 200, 200, 429, 429])
  expect(limited.envelope).toMatchObject({
    ResponseCode: 0,
    ResponseMsg: 'Too many requests, the limit is 3/min',
  })
  expect(limited.headers.get('retry-after')).toBe('60')
  expect(assumedBy(limited)).toContain('rateLimit')
  expect(later.status).toBe(200)
})

test.each(WAYS)('https=%s: http URLs are accepted, or rejected when a link is created', async (way) => {
  await using takes = await openWith(way, { https: 'optional' })
  await using refuses = await openWith(way, { https: 'required' })
  for (const sandbox of [takes, refuses]) {
    const lists = {
      callbackUrls: ['http://shop.test/0'],
      webhookUrls: ['https://shop.test/0', 'http://shop.test/1'],
    }
    await sandbox.control('PATCH', `/accounts/${shop.id}`, lists)
  }

  const create = async (sandbox: OpenSandbox, urls: object) => {
    const created = await sandbox.call('createLink', { amount: 1, ...urls })
    const result = created.envelope.ResponseCode === 1 ? 'created' : created.envelope.ResponseMsg
    return [result, assumedBy(created).includes('https')] as const
  }
  for (const [urls, message] of [
    [{ callback_url: 'http://shop.test/x' }, 'callback_url should be an https URL, not http://shop.test/x'],
    [{ callback_url: 'HTTP://b.test/' }, 'callback_url should be an https URL, not HTTP://b.test/'],
    // Only the first one is used.
    [{ callback_url: 'https://a.test/,HTTP://b.test/' }, 'created'],
    [{ callback_url: '0' }, 'callback_url should be an https URL, not http://shop.test/0'],
    [{ payment_endpoint: '0,1' }, 'payment_endpoint should be an https URL, not http://shop.test/1'],
    [{ payment_endpoint: '0', callback_url: 'https://shop.test/' }, 'created'],
    [{}, 'created'],
  ] as const) {
    const isNamed = message !== 'created'
    expect([urls, await create(takes, urls)]).toEqual([urls, ['created', isNamed]])
    expect([urls, await create(refuses, urls)]).toEqual([urls, [message, isNamed]])
  }
  await refuses.control('PATCH', `/accounts/${shop.id}`, { paymentEndpoint: 'http://shop.test/hook' })
  expect(await create(refuses, {})).toEqual([
    "The account's payment endpoint should be an https URL, not http://shop.test/hook",
    true,
  ])
  expect(await create(refuses, { payment_endpoint: '0' })).toEqual(['created', false])
})

const twoShares = [
  { token: courier.recipientToken, share: 30 },
  { token: market.recipientToken, share: 20.5 },
]

/** Two recipients, in the notation of Rails. PHP reads four entries with one key each. */
const LIST_WITHOUT_INDEXES = twoShares
  .map(({ token, share }) => `recipients[][token]=${token}&recipients[][share]=${share}`)
  .join('&')

/** `body` is sent as a form if it is text. `answer` is `ResponseMsg` of an error, or some fields of `data`. */
test.for<
  [
    choice: BehaviorChoices,
    operation: string,
    body: object | string,
    answer: string | Record<string, unknown>,
  ]
>([
  [{ numericStrings: 'accept' }, 'createLink', { amount: '0100' }, 'amount should be a finite number'],
  [{ numericStrings: 'any-spelling' }, 'createLink', { amount: ' +0100.50 ' }, { amount: 100.5 }],
  [{ numericStrings: 'any-spelling' }, 'createLink', { amount: '1e2' }, { amount: 100 }],
  [{ numericStrings: 'any-spelling' }, 'createLink', { amount: '.5' }, { amount: 0.5 }],
  [{ numericStrings: 'any-spelling' }, 'createLink', { amount: '100' }, { amount: 100 }],
  [{ numericStrings: 'any-spelling' }, 'createLink', { amount: '1e999' }, 'amount should be a finite number'],
  [{ numericStrings: 'refuse' }, 'createLink', { amount: '1e2' }, 'amount should be a finite number'],
  [
    { requestBody: 'json-or-form', numericStrings: 'accept' },
    'createLink',
    'amount=+0100',
    'amount should be a finite number',
  ],
  [
    { requestBody: 'json-or-form', numericStrings: 'any-spelling' },
    'createLink',
    'amount=+0100',
    { amount: 100 },
  ],

  [
    { booleanAsText: 'refuse' },
    'createLink',
    { amount: 1, is_qr_link: 1 },
    'is_qr_link should be true or false',
  ],
  [{ booleanAsText: 'accept' }, 'createLink', { amount: 1, is_qr_link: 'true' }, { is_qr_link: 'true' }],
  [{ booleanAsText: 'accept' }, 'createLink', { amount: 1, is_qr_link: 1 }, { is_qr_link: 'true' }],
  [{ booleanAsText: 'accept' }, 'createLink', { amount: 1, is_qr_link: '0' }, { is_qr_link: 'false' }],

  [
    { textAsNumber: 'refuse' },
    'createLink',
    { amount: 1, callback_url: 0 },
    'callback_url should be a string',
  ],
  [
    { textAsNumber: 'accept' },
    'createLink',
    { amount: 1, callback_url: 0, payment_endpoint: 1, recipient_note: 7 },
    { callback_url: shop.callbackUrls[0], paymentEndpoint: shop.webhookUrls[1], recipient_note: '7' },
  ],
  [{ textAsNumber: 'accept' }, 'sendWebhookViaPayId', { pay_ids: 9, status: 'Success' }, 'Invalid link ID'],

  [{ amountDecimals: 'refuse' }, 'createLink', { amount: 10.005 }, 'amount should have at most two decimals'],
  [{ amountDecimals: 'round' }, 'createLink', { amount: 10.005 }, { amount: 10.01 }],
  [{ amountDecimals: 'round' }, 'createLink', { amount: 10.0049 }, { amount: 10 }],
  [{ amountDecimals: 'round' }, 'createLink', { amount: 0.004 }, 'amount should be greater than zero'],
  [{ amountDecimals: 'round' }, 'createLink', { amount: 1e-7 }, 'amount should be greater than zero'],
  [
    { amountDecimals: 'round' },
    'createSplitLink',
    { amount: 10, split_type: 'absolute', recipients: [{ ...recipients[0], share: 10 / 3 }] },
    { recipients: JSON.stringify([{ ...recipients[0], share: 3.33 }]) },
  ],
  [
    { amountDecimals: 'round', requestBody: 'json-or-form' },
    'createLink',
    'amount=10.005',
    { amount: 10.01 },
  ],

  [
    { requestBody: 'json-or-form' },
    'createSplitLink',
    `amount=100&${LIST_WITHOUT_INDEXES}`,
    'Please enter recipients[0].share',
  ],
  [
    { requestBody: 'json-or-any-form' },
    'createSplitLink',
    `amount=100&${LIST_WITHOUT_INDEXES}`,
    { recipients: JSON.stringify(twoShares) },
  ],
  [
    { requestBody: 'json-or-form' },
    'createSplitLink',
    `amount=100&recipients=${encodeURIComponent(JSON.stringify(twoShares))}`,
    'recipients should be an array',
  ],
  [
    { requestBody: 'json-or-any-form' },
    'createSplitLink',
    `amount=100&recipients=${encodeURIComponent(JSON.stringify(twoShares))}`,
    { recipients: JSON.stringify(twoShares) },
  ],
  [
    { requestBody: 'json-or-form' },
    'createSplitLink',
    `amount=100&recipients[1][token]=${courier.recipientToken}&recipients[1][share]=30&recipients[3][share]=1`,
    'recipients should be an array with the indexes 0, 1, 2 and so on, not 1, 3',
  ],
  [
    { requestBody: 'json-or-any-form' },
    'createSplitLink',
    `amount=100&recipients[1][token]=${courier.recipientToken}&recipients[1][share]=30`,
    'recipients should be an array with the indexes 0, 1, 2 and so on, not 1',
  ],
  [
    {},
    'createSplitLink',
    { amount: 100, recipients: { 0: twoShares[0], 2: twoShares[1] } },
    'recipients should be an array with the indexes 0, 1, 2 and so on, not 0, 2',
  ],
  [{}, 'createSplitLink', { amount: 100, recipients: { 0: 1, 1: 1 } }, 'recipients should be an array'],
  [{}, 'createSplitLink', { amount: 100, recipients: { a: 1, 2: 1 } }, 'recipients should be an array'],
  [
    { requestBody: 'json-or-any-form' },
    'createSplitLink',
    'amount=100&recipients=[',
    'recipients should be an array',
  ],
  [
    { requestBody: 'json-or-any-form' },
    'createLink',
    'amount=1&recipient_note=[0]',
    { recipient_note: '[0]' },
  ],
  [{ requestBody: 'json-or-form' }, 'createLink', '{"amount":1}', 'Please enter amount'],
  [{ requestBody: 'json-or-any-form' }, 'createLink', ' {"amount":1}', { amount: 1 }],
  [{ requestBody: 'json-or-any-form' }, 'createLink', '{"amount":"1"}', 'amount should be a finite number'],
])(
  'with the behavior %j, %s reads or refuses the body %j',
  async ([choices, operation, body, answer], { sandbox }) => {
    await sandbox.control('PATCH', '/behaviors', choices)
    const isForm = typeof body === 'string'
    const called = await sandbox.call(
      operation,
      body,
      isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {},
    )

    const { ResponseMsg, data } = called.envelope
    expect(typeof answer === 'string' ? ResponseMsg : data).toEqual(
      typeof answer === 'string' ? answer : expect.objectContaining(answer),
    )
    expect(assumedBy(called)).toEqual(expect.arrayContaining(Object.keys(choices)))
  },
)

test.for<[choice: BehaviorChoices, operation: string, code: string, message: string]>([
  [{ missingToken: 'special' }, 'createSplitLink', 'tokenMissing', 'Please enter token'],
  [{ missingToken: 'common' }, 'createSplitLink', 'tokenRejected', 'Incorrect token or missing token'],
  [{ missingToken: 'common' }, 'createLink', 'tokenRejected', 'Incorrect token or missing token'],
  [
    { unknownToken: 'special' },
    'createSplitLink',
    'tokenUnknown',
    'No user found with the provided API key.',
  ],
  [{ unknownToken: 'common' }, 'createSplitLink', 'tokenRejected', 'Incorrect token or missing token'],
  [{ unknownToken: 'special' }, 'refundPayment', 'tokenRejected', 'Incorrect token or missing token'],
])(
  'with the behavior %j, %s answers with the error %s',
  async ([choices, operation, code, message], { sandbox }) => {
    await sandbox.control('PATCH', '/behaviors', choices)
    const [name] = Object.keys(choices) as [string]
    const answer = await sandbox.call(operation, {}, { token: name === 'missingToken' ? '' : 'nobodys' })
    expect([answer.envelope.ResponseMsg, answer.headers.get('sandbox-error')]).toEqual([message, code])
    expect(assumedBy(answer)).toContain(name)
  },
)

test.each(WAYS)(
  'invoiceMonth=%s: date filters by the billed month, or by the month of issue',
  async (way) => {
    await using billed = await openWith(way, { invoiceMonth: 'billed' })
    await using issued = await openWith(way, { invoiceMonth: 'issued' })

    const list = async (sandbox: OpenSandbox, filter: object) => {
      const answer = await sandbox.call<{ service_month: string }[]>('getTaxInvoiceList', filter)
      return [
        answer.envelope.data.map(({ service_month: month }) => month),
        assumedBy(answer).includes('invoiceMonth'),
      ]
    }
    expect(await list(billed, { date: '2026-05' })).toEqual([['May 2026'], true])
    expect(await list(issued, { date: '2026-05' })).toEqual([['April 2026'], true])
    expect((await list(billed, {}))[1]).toBe(false)
  },
)

test.each(WAYS)(
  'cancelWebhook=%s: own-endpoint sends it only for a link that names an endpoint',
  async (way) => {
    await using sandbox = await openWith(way, { cancelWebhook: 'own-endpoint' })
    const cancel = async (fields: object) => {
      const { id } = await sandbox.createLink({ ...fields })
      const cancelled = await sandbox.control('POST', `/links/${id}/cancel`)
      expect(assumedBy(cancelled)).toContain('cancelWebhook')
      return cancelled.answer.deliveries.map(({ status }) => status)
    }
    expect(await cancel({ payment_endpoint: '0' })).toEqual(['cancel'])
    expect(await cancel({})).toEqual([])
    expect(await cancel({ payment_endpoint: '' })).toEqual([])
  },
)

test.each(WAYS)(
  'wonDispute=%s: a dispute that the customer won blocks a refund, or does not',
  async (way) => {
    await using blocks = await openWith(way, { wonDispute: 'blocks' })
    await using allows = await openWith(way, { wonDispute: 'allows' })

    const refund = async (sandbox: OpenSandbox, outcome: 'won' | 'lost' | 'open') => {
      const { id } = await sandbox.createLink()
      await sandbox.control('POST', `/links/${id}/pay`, { wait: 'accepted' })
      await sandbox.control('PUT', `/links/${id}/dispute`)
      if (outcome !== 'open') await sandbox.control('DELETE', `/links/${id}/dispute?outcome=${outcome}`)
      const { headers, envelope } = await sandbox.call('refundPayment', { pay_id: id, refund_amount: 1 })
      expect(assumedBy({ headers }).includes('wonDispute')).toBe(outcome === 'won')
      const approved = await sandbox.control('POST', `/refunds/${id}/approve`)
      return [envelope.ResponseCode, approved.status]
    }
    expect(await refund(blocks, 'won')).toEqual([0, 404])
    expect(await refund(allows, 'won')).toEqual([1, 200])
    for (const sandbox of [blocks, allows]) {
      expect(await refund(sandbox, 'lost')).toEqual([1, 200])
      expect(await refund(sandbox, 'open')).toEqual([0, 404])
    }
  },
)

test.for<
  [option: BehaviorSettings['indexOutOfRange'], callback: string, endpoint: string, answer: object | string]
>([
  ['refuse', '0,9', '0', "callback_url index 9 is out of range, the account's list has 2 entries"],
  ['refuse-used', '0,9', '0', { callback_url: shop.callbackUrls[0], paymentEndpoint: shop.webhookUrls[0] }],
  ['refuse-used', '9,0', '0', "callback_url index 9 is out of range, the account's list has 2 entries"],
  ['refuse-used', '0', '0,9', "payment_endpoint index 9 is out of range, the account's list has 2 entries"],
  ['ignore', '9,0', '9,0', { callback_url: shop.callbackUrls[0], paymentEndpoint: shop.webhookUrls[0] }],
  ['ignore-field', '9,0', '0,9', { callback_url: '', paymentEndpoint: '' }],
])(
  'indexOutOfRange=%s: callback_url %s and payment_endpoint %s',
  async ([option, callback, endpoint, answer], { sandbox }) => {
    await sandbox.control('PATCH', '/behaviors', { indexOutOfRange: option })
    const created = await sandbox.call('createLink', {
      amount: 1,
      callback_url: callback,
      payment_endpoint: endpoint,
    })
    if (typeof answer === 'string') expect(created.envelope.ResponseMsg).toBe(answer)
    else expect(created.envelope.data).toMatchObject(answer)
    expect(assumedBy(created)).toContain('indexOutOfRange')

    // The preview gives the same answer.
    const body = { account: shop.id, callbackUrl: callback, paymentEndpoint: endpoint }
    const { answer: preview } = await sandbox.control('POST', '/targets/preview', body)
    expect(preview.refusal).toBe(typeof answer === 'string' ? answer : null)
    if (typeof answer === 'string') return
    const used = preview.callbacks.find(({ isUsed }) => isUsed)
    const own = preview.targets.filter(
      ({ url, position, consequence }) => url !== null && position !== null && consequence === null,
    )
    expect({ callback_url: used?.url ?? '', paymentEndpoint: own.map(({ url }) => url).join() }).toEqual(
      answer,
    )
  },
)

test('every operation refuses amounts with fractions of cents in the same way, and names the behavior', async ({
  sandbox,
}) => {
  for (const [index, amount] of [99.999, 10.005, 0.001].entries()) {
    const { id } = await sandbox.createLink()
    await sandbox.control('POST', `/links/${id}/pay`, { wait: 'accepted' })
    const refund = await sandbox.call('refundPayment', { pay_id: id, refund_amount: amount })
    const link = await sandbox.call('createLink', { amount })
    expect([refund, link].map(({ envelope }) => envelope.ResponseMsg)).toEqual([
      'refund_amount should have at most two decimals',
      'amount should have at most two decimals',
    ])
    expect([refund, link].map(assumedBy)).toEqual(Array(2).fill(expect.arrayContaining(['amountDecimals'])))

    await sandbox.control('PATCH', '/behaviors', { amountDecimals: 'round' })
    const rounded = await sandbox.call('refundPayment', { pay_id: id, refund_amount: amount })
    expect([index, rounded.envelope.ResponseMsg]).toEqual([
      index,
      amount < 0.005 ? 'Invalid refund amount' : expect.stringContaining('sent successfully'),
    ])
    await sandbox.control('PATCH', '/behaviors', { amountDecimals: 'refuse' })
  }
  const above = await sandbox.call('refundPayment', { pay_id: 1003, refund_amount: 100.001 })
  expect(above.envelope.ResponseMsg).toBe('Invalid refund amount')
  expect(assumedBy(await sandbox.call('createLink', { amount: 1e10 }))).toContain('amountLimit')
  expect(assumedBy(await sandbox.call('createLink', { amount: 1.5 }))).not.toContain('amountDecimals')
})

test('a behavior of one account does not apply to other accounts', async ({ sandbox }) => {
  await sandbox.control('PATCH', `/behaviors?account=${shop.id}`, { errorStatus: 'http' })

  expect((await sandbox.call('createLink', {})).status).toBe(422)
  expect((await sandbox.call('createLink', {}, { token: courier.apiKey })).status).toBe(200)
})

test('an answer without an assumption has no Sandbox-Assumed header', async ({ sandbox }) => {
  const { answer } = await sandbox.control('GET', '/behaviors')
  const { headers } = await sandbox.call('createLink', { amount: 1 })

  const { behaviors, assumptions } = answer as {
    behaviors: { name: string }[]
    assumptions: { name: string }[]
  }
  const names = [...behaviors, ...assumptions].map(({ name }) => name)
  for (const name of assumedBy({ headers })) expect(names).toContain(name)
  expect(assumedBy({ headers })).not.toContain('ownWording')
  expect(assumedBy({ headers })).not.toContain('numericStrings')
  expect(assumedBy(await sandbox.call('createSplitLink', {}))).not.toContain('ownWording')
  expect(assumedBy(await sandbox.call('createLink', {}))).toContain('ownWording')
  expect(assumedBy(await sandbox.call('createLink', { amount: -1 }))).toContain('ownWording')
  const unknownToken = { amount: 1, recipients: [{ token: 'x', share: 1 }] }
  expect(assumedBy(await sandbox.call('createSplitLink', unknownToken))).not.toContain('ownWording')
})

test.each(['refuse', 'accept'] as const)(
  'with booleanAsText=%s, bank_transfer is a boolean or a boolean as text, never 1 or 0',
  async (booleanAsText) => {
    await using sandbox = await openSandbox({ behaviors: { booleanAsText } })
    await sandbox.control('PATCH', `/accounts/${shop.id}`, { bankTransfer: false })
    const read = async (bank_transfer: unknown) => {
      const { envelope } = await sandbox.call<{ bank_transfer: string } | undefined>('createLink', {
        amount: 1,
        bank_transfer,
      })
      return envelope.data?.bank_transfer ?? envelope.ResponseMsg
    }

    expect([await read(true), await read('true')]).toEqual(['true', 'true'])
    expect([await read(false), await read('false')]).toEqual(['false', 'false'])
    for (const other of [1, '1', 0, '0', 'TRUE'])
      expect(await read(other)).toBe('bank_transfer should be true or false')
  },
)
