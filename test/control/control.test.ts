import { expect } from 'vitest'
import { courier, market, openSandbox, production, shop } from '../support/sandbox.ts'
import { collectGarbage } from '../support/collect-garbage.ts'
import { test } from '../support/test.ts'

test('health and readiness answer GET and HEAD', async ({ sandbox }) => {
  for (const path of ['health', 'ready']) {
    for (const method of ['GET', 'HEAD']) {
      expect((await fetch(`${sandbox.url}/_sandbox/${path}`, { method })).status).toBe(200)
    }
  }
})

test('health, readiness and info name the version and the database engine', async ({ sandbox }) => {
  const about = { version: sandbox.version, database: expect.stringMatching(/^(SQLite|PostgreSQL) \d+\.\d+/) }
  for (const path of ['health', 'ready', 'v1/info']) {
    expect(await (await fetch(`${sandbox.url}/_sandbox/${path}`)).json()).toMatchObject(about)
  }
})

test('info lists the accounts, behaviors and counts of the sandbox', async ({ sandbox }) => {
  await sandbox.createLink()
  expect((await sandbox.control('GET', '/info')).answer).toMatchObject({
    version: sandbox.version,
    url: sandbox.url,
    clock: { zone: expect.stringMatching(/^CES?T$/) },
    counts: { accounts: 4, links: 1, invoices: 30 },
    behaviors: { payId: 'same' },
  })
})

test('the seeded accounts are listed, including a production account', async ({ sandbox }) => {
  const { answer } = await sandbox.control('GET', '/accounts')
  expect(answer.accounts).toMatchObject([
    { id: shop.id, apiKey: shop.apiKey, paymentEndpoint: `${sandbox.url}/tunnel/flower-shop` },
    { id: courier.id, billing: { reverseCharge: true } },
    { id: market.id },
    { id: production.id, environment: 'production' },
  ])
})

test('an account can be created, used, changed and deleted', async ({ sandbox }) => {
  const made = await sandbox.control('POST', '/accounts', { name: 'Test 7', bankTransfer: true })
  expect([made.status, made.answer.apiKey, made.answer.recipientToken]).toEqual([
    201,
    expect.stringMatching(/^[A-Za-z0-9]+$/),
    expect.stringMatching(/^[A-Za-z0-9]+$/),
  ])

  const call = await sandbox.call('createLink', { amount: 1 }, { token: made.answer.apiKey })
  expect(call.envelope.data).toMatchObject({ user_id: made.answer.id, bank_transfer: 'true' })

  const changed = await sandbox.control('PATCH', `/accounts/${made.answer.id}`, {
    webhookUrls: ['http://localhost:1/a'],
    billing: { city: 'Bremen' },
  })
  expect(changed.answer).toMatchObject({
    name: 'Test 7',
    webhookUrls: ['http://localhost:1/a'],
    billing: { city: 'Bremen', company: 'Test 7' },
  })

  const inUse = await sandbox.rawControl('DELETE', `/accounts/${made.answer.id}`)
  expect([inUse.status, inUse.answer.detail]).toEqual([409, expect.stringContaining('has payment links')])
  const unused = await sandbox.control('POST', '/accounts')
  expect((await sandbox.control('DELETE', `/accounts/${unused.answer.id}`)).status).toBe(204)
  expect((await sandbox.control('GET', `/accounts/${unused.answer.id}`)).status).toBe(404)
})

test.for<[what: string, body: object, status: number, detail: string]>([
  ['a key that is taken', { apiKey: shop.apiKey }, 409, 'Another account already has this apiKey'],
  ['an id that is taken', { id: shop.id }, 409, 'Another account already has this id'],
  [
    'a key with other characters',
    { apiKey: 'not a key' },
    400,
    'apiKey in the body should be 8 to 128 letters and digits.',
  ],
  [
    'a script as URL',
    { webhookUrls: ['javascript:1'] },
    400,
    'webhookUrls.0 in the body is "javascript:1". It should be an absolute http or https URL.',
  ],
  [
    'an unknown field',
    { webhookUrl: [] },
    400,
    'The body has the unknown key webhookUrl, did you mean webhookUrls?',
  ],
])('an account with %s is refused', async ([_what, body, status, detail], { sandbox }) => {
  const { answer, headers } = await sandbox.control('POST', '/accounts', body)

  expect(answer).toMatchObject({ status, detail })
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect((await sandbox.control('GET', '/accounts')).answer.accounts).toHaveLength(4)
})

test('a link can be named by id, by link_id, or by payment', async () => {
  await using sandbox = await openSandbox({ behaviors: { payId: 'distinct' } })
  await sandbox.createLink()
  const payLink = encodeURIComponent(`${sandbox.url}/payment?link_id=NzAwMDAx`)
  for (const ref of ['1001', 'NzAwMDAx', 'pay:700001', payLink]) {
    expect((await sandbox.control('GET', `/links/${ref}`)).answer).toMatchObject({ id: 1001, payId: 700001 })
  }
  for (const ref of ['700001', 'pay:1001', 'pay:', 'x', '1e3']) {
    expect((await sandbox.control('GET', `/links/${ref}`)).status).toBe(404)
  }
})

test.each([
  ['pay:1001', 'There is no payment link pay:1001, but link 1001 has that id: leave out pay:.'],
  ['700001', 'There is no payment link 700001, but link 1001 has that pay_id: write pay:700001.'],
])('the error recognizes a link that was named %s', async (ref, detail) => {
  await using sandbox = await openSandbox({ behaviors: { payId: 'distinct' } })
  await sandbox.createLink()
  expect((await sandbox.control('GET', `/links/${ref}`)).answer).toMatchObject({ detail })
})

test.for([
  ['GET', '/links/1001/pay', '/links/1001/pay. Use POST.'],
  ['PUT', '/links/1001', '/links/1001. Use GET or DELETE.'],
  ['GET', '/link', '/link in the control API. Did you mean GET /_sandbox/v1/links?'],
  ['GET', '/link/7/pai', '/link/7/pai in the control API. Did you mean POST /_sandbox/v1/links/7/pay?'],
  ['GET', '/nowhere', '/nowhere in the control API. GET /_sandbox/openapi.json lists all routes.'],
] as const)(
  '%s %s returns 404 and suggests the closest route',
  async ([method, path, detail], { sandbox }) => {
    const response = await fetch(`${sandbox.url}/_sandbox/v1${path}`, { method })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ detail: `There is no ${method} /_sandbox/v1${detail}` })
  },
)

test('a link shows the exact share of every recipient', async ({ sandbox }) => {
  await sandbox.createLink({ amount: 0.99, recipients: [{ token: courier.recipientToken, share: 50 }] })
  expect((await sandbox.control('GET', '/links/1001')).answer).toMatchObject({
    amount: 0.99,
    status: 'unused',
    payout: {
      recipients: [{ accountId: courier.id, token: courier.recipientToken, share: 50, amount: 0.49 }],
      owner: 0.5,
    },
  })
})

test('links are listed newest first, by account, status and page', async ({ sandbox }) => {
  for (let links = 0; links < 3; links++) await sandbox.createLink()
  await sandbox.call('createLink', { amount: 1 }, { token: market.apiKey })
  await sandbox.control('POST', '/links/1002/pay')

  const ids = async (query: string) =>
    (await sandbox.rawControl<{ links: { id: number }[] }>('GET', `/links${query}`)).answer.links.map(
      ({ id }) => id,
    )
  expect(await ids('')).toEqual([1004, 1003, 1002, 1001])
  expect(await ids(`?account=${market.id}`)).toEqual([1004])
  expect(await ids('?status=paid')).toEqual([1002])
  expect(await ids('?before=1003&limit=1')).toEqual([1002])
})

test('pages of a list follow each other: accounts, links, refunds, deliveries, invoices', async ({
  sandbox,
}) => {
  for (const pay_id of [1001, 1002, 1003]) {
    await sandbox.createLink()
    await sandbox.control('POST', `/links/${pay_id}/pay`)
    await sandbox.call('refundPayment', { pay_id, refund_amount: 10 })
  }
  const { answer: other } = await sandbox.control('POST', '/accounts', { name: 'Zoo' })

  /** Reads all pages of a list. `next` returns the parameter of the next page, from the last item and the answer. */
  async function pagesOf(
    list: string,
    query: string,
    next: (last: Record<string, unknown>, answer: Record<string, unknown>) => string,
  ) {
    const pages: unknown[][] = []
    for (let place = ''; ;) {
      const { answer } = await sandbox.rawControl<Record<string, Record<string, unknown>[]>>(
        'GET',
        `/${list}?limit=2${query}${place}`,
      )
      const page = answer[list]!
      if (page.length === 0) return pages
      pages.push(page)
      place = next(page.at(-1)!, answer)
      if (place === '') return pages
    }
  }

  for (const [list, next] of [
    ['accounts', (_last, answer) => (answer.next === null ? '' : `&after=${answer.next}`)],
    ['links', ({ id }) => `&before=${id}`],
    ['refunds', ({ payId }) => `&before=${payId}`],
    ['deliveries', ({ id }) => `&before=${id}`],
    ['invoices', ({ sfId }) => `&after=${sfId}`],
  ] as const satisfies [string, Parameters<typeof pagesOf>[2]][]) {
    for (const query of list === 'accounts' ? [''] : ['', `&account=${shop.id}`, `&account=${other.id}`]) {
      const { answer } = await sandbox.rawControl<Record<string, unknown[]>>('GET', `/${list}?${query}`)
      const all = answer[list]!
      const pages = await pagesOf(list, query, next)
      expect([list, query, pages.flat()]).toEqual([list, query, all])
      expect([list, query, pages.length]).toEqual([list, query, Math.ceil(all.length / 2)])
      expect([list, query, all.length > 2]).toEqual([list, query, !query.includes(other.id)])
    }
  }
})

test('a list of invoices after an unknown invoice is refused', async ({ sandbox }) => {
  expect(await sandbox.rawControl('GET', '/invoices?after=9999')).toMatchObject({
    status: 404,
    answer: { detail: 'There is no invoice 9999. GET /_sandbox/v1/invoices lists them.' },
  })
})

test.for(
  '/links /refunds /invoices /events /deliveries /diagnostics /behaviors /seed /report /export.har'.split(
    ' ',
  ),
)('%s of an unknown account is refused', async (path, { sandbox }) => {
  expect(await sandbox.rawControl('GET', `${path}?account=nobody`)).toMatchObject({
    status: 404,
    answer: {
      detail: 'There is no account nobody. GET /_sandbox/v1/accounts lists them.',
      reason: 'There is no account nobody.',
      remedy: { route: 'GET /accounts', effect: 'lists them' },
    },
  })
})

test('pay returns the redirect and the webhooks, once they are settled', async ({ sandbox }) => {
  await sandbox.createLink({ callback_url: 'http://shop.test/done' })

  const { status, answer } = await sandbox.control('POST', '/links/1001/pay', {
    method: 'card',
  })
  expect(status).toBe(200)
  expect(answer).toMatchObject({
    link: { status: 'paid', paidBy: 'card' },
    redirect: { location: 'http://shop.test/done?pay_id=1001&status=Success' },
    deliveries: [
      {
        id: 1,
        target: `${sandbox.url}/tunnel/flower-shop`,
        state: 'delivered',
        attempts: [{ status: 200, error: null }],
      },
    ],
  })
})

test('pay with a closed browser has no redirect', async ({ sandbox }) => {
  await sandbox.createLink({ callback_url: 'http://shop.test/done' })
  const { answer } = await sandbox.control('POST', '/links/1001/pay', { browser: 'closes' })
  expect(answer).toMatchObject({ redirect: null, deliveries: [{ state: 'delivered' }] })
})

test.for<[verb: string, method: string, path: string, detail: string]>([
  ['pay', 'POST', '/pay', 'The link is already paid'],
  ['cancel', 'POST', '/cancel', 'The link is paid and cannot be cancelled'],
  ['decline', 'POST', '/decline', 'The link is already paid'],
  ['approve', 'POST', '/approve-transfer', 'The link is paid. It awaits no bank transfer'],
  ['reject', 'POST', '/reject-transfer', 'The link is paid. It awaits no bank transfer'],
  ['delete', 'DELETE', '', 'The link is paid and cannot be deleted'],
  ['close a dispute', 'DELETE', '/dispute', 'No dispute is open for this link'],
])('a paid link cannot %s, and the error says why', async ([_verb, method, path, detail], { sandbox }) => {
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')
  const { status, answer } = await sandbox.rawControl(method, `/links/1001${path}`)
  expect([status, answer.detail]).toEqual([409, detail])
})

test('a dispute blocks a refund until the customer has lost it', async ({ sandbox }) => {
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')
  const ask = async () =>
    (await sandbox.call('refundPayment', { pay_id: 1001, refund_amount: 1 })).envelope.ResponseMsg

  expect((await sandbox.control('PUT', '/links/1001/dispute')).answer.dispute).toBe('open')
  expect(await ask()).toBe('Refund blocked by dispute')
  expect((await sandbox.control('DELETE', '/links/1001/dispute?outcome=won')).answer.dispute).toBe('won')
  expect(await ask()).toBe('Refund blocked by dispute')
  await sandbox.control('PUT', '/links/1001/dispute')
  expect((await sandbox.control('DELETE', '/links/1001/dispute')).answer.dispute).toBe('lost')
  expect(await ask()).toMatch(/^Refund request has been sent/)
})

test.for([
  ['open', 'Refund blocked by dispute. Close the dispute first, or reject the refund'],
  ['won', 'Refund blocked by dispute: the customer won it and got the money back. Reject the refund'],
] as const)(
  'a refund cannot be approved while the dispute is %s, but can be rejected',
  async ([dispute, detail], { sandbox }) => {
    await sandbox.createLink()
    await sandbox.control('POST', '/links/1001/pay')
    await sandbox.call('refundPayment', { pay_id: 1001, refund_amount: 30.5 })
    await sandbox.control('PUT', '/links/1001/dispute')
    if (dispute === 'won') await sandbox.control('DELETE', '/links/1001/dispute?outcome=won')

    const approved = await sandbox.rawControl('POST', '/refunds/1001/approve')
    const { answer } = await sandbox.control('GET', '/refunds')
    const rejected = await sandbox.control('POST', '/refunds/1001/reject')

    expect([approved.status, approved.answer.detail]).toEqual([409, detail])
    expect(answer.refunds).toMatchObject([{ state: 'pending', decidedAt: null }])
    expect([rejected.status, rejected.answer.state]).toEqual([200, 'rejected'])
  },
)

test('a refund that a dispute blocks can be approved once the customer has lost the dispute', async ({
  sandbox,
}) => {
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.call('refundPayment', { pay_id: 1001, refund_amount: 30.5 })
  await sandbox.control('PUT', '/links/1001/dispute')
  await sandbox.control('DELETE', '/links/1001/dispute?outcome=lost')

  const { answer } = await sandbox.control('GET', '/refunds')
  expect(answer.refunds).toMatchObject([{ state: 'pending' }])
  expect((await sandbox.control('POST', '/refunds/1001/approve')).answer.state).toBe('approved')
})

test.for(['approve', 'reject'])(
  'an operator can %s a refund once, and no webhook is sent',
  async (verb, { sandbox }) => {
    await sandbox.createLink()
    await sandbox.control('POST', '/links/1001/pay')
    await sandbox.call('refundPayment', { pay_id: 1001, refund_amount: 30.5 })
    const listed = await sandbox.control('GET', '/refunds')
    expect(listed.answer).toMatchObject({
      refunds: [{ payId: 1001, amount: 30.5, full: false, state: 'pending' }],
    })

    const decided = await sandbox.rawControl('POST', `/refunds/1001/${verb}`)
    const again = await sandbox.rawControl('POST', `/refunds/1001/${verb}`)
    expect(decided.answer).toMatchObject({ payId: 1001, state: verb === 'approve' ? 'approved' : 'rejected' })
    expect(again.status).toBe(409)
    expect((await sandbox.rawControl('POST', `/refunds/4711/${verb}`)).status).toBe(404)
    expect((await sandbox.control('GET', '/deliveries')).answer.deliveries).toHaveLength(1)
  },
)

test('a replay sends the same bytes again, as a separate delivery', async ({ receiver, sandbox }) => {
  await sandbox.createLink({ payment_endpoint: receiver.url, recipient_note: "it's $(x) & ü" })
  await sandbox.control('POST', '/links/1001/pay')

  const { status, answer } = await sandbox.control('POST', '/deliveries/1/replay')
  expect([status, answer.id, answer.replayOf, answer.cause, answer.state]).toEqual([
    201,
    2,
    1,
    'replay',
    'delivered',
  ])
  expect(receiver.received[1]!.body).toBe(receiver.received[0]!.body)
  expect(receiver.received[1]!.rawHeaders).toEqual(receiver.received[0]!.rawHeaders)
})

test('a replay can have another target and other bytes', async ({ receiver, sandbox }) => {
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')

  await sandbox.control('POST', '/deliveries/1/replay', { to: receiver.url, body: 'anything=at all' })
  expect(receiver.received.map(({ body }) => body)).toEqual(['anything=at all'])
  expect((await sandbox.control('POST', '/deliveries/1/replay', { to: 'file:///etc/passwd' })).status).toBe(
    400,
  )
  expect((await sandbox.control('POST', '/deliveries/9/replay')).status).toBe(404)
})

test('events are read after a given seq, by type, account and link', async ({ sandbox }) => {
  await sandbox.createLink()
  await sandbox.call('createLink', { amount: 2 }, { token: market.apiKey })
  await sandbox.control('POST', '/links/1001/pay')

  const read = async (query: string) =>
    (
      await sandbox.rawControl<{ events: { seq: number; type: string }[]; head: number }>(
        'GET',
        `/events${query}`,
      )
    ).answer
  const all = await read('')
  expect(all.events.map(({ seq }) => seq)).toEqual(Array.from({ length: all.head }, (_, index) => index + 1))
  expect((await read('?after=2&limit=2')).events.map(({ seq }) => seq)).toEqual([3, 4])
  expect((await read('?before=3')).events.map(({ seq }) => seq)).toEqual([1, 2])
  expect((await read('?type=link.created,link.paid')).events.map(({ type }) => type)).toEqual([
    'link.created',
    'link.created',
    'link.paid',
  ])
  expect((await read(`?account=${market.id}`)).events.map(({ type }) => type)).toEqual([
    'link.created',
    'api.request',
  ])
  expect((await read('?link=pay:1002')).events.map(({ type }) => type)).toEqual([
    'link.created',
    'api.request',
  ])
})

test('an event contains the bytes of request and response', async ({ sandbox }) => {
  await sandbox.call('createLink', '{"amount" : 1}')
  const { answer } = await sandbox.control('GET', '/events?type=api.request')
  const { answer: event } = await sandbox.control('GET', `/events/${answer.events[0]!.seq}`)

  expect(event).toMatchObject({
    type: 'api.request',
    exchange: {
      request: {
        method: 'POST',
        url: `${sandbox.url}/api/v2/createLink`,
        body: { encoding: 'utf8', content: '{"amount" : 1}', size: 14 },
      },
      response: { status: 200, body: { content: expect.stringContaining('"ResponseCode":1') } },
    },
  })
  expect((await sandbox.control('GET', '/events/999')).status).toBe(404)
})

test('a wait finds past and future events', async ({ sandbox }) => {
  await sandbox.createLink()
  const match = { type: 'link.paid', payId: 1001 }

  const waiting = sandbox.control('POST', '/events/wait', { match })
  await sandbox.control('POST', '/links/1001/pay')
  const past = await sandbox.control('POST', '/events/wait', { match, timeoutMs: 0 })

  expect((await waiting).answer.events).toMatchObject([{ type: 'link.paid', amount: 100 }])
  expect(past.answer).toEqual((await waiting).answer)
})

test('a wait counts matching events, from a given seq on', async ({ sandbox }) => {
  const match = { type: 'api.request', operation: 'createLink' }
  const wait = (after: number) => sandbox.control('POST', '/events/wait', { match, count: 2, after })
  const waiting = wait(0)
  for (let calls = 0; calls < 3; calls++) await sandbox.call('createLink', { amount: 1 })

  const [first, second] = (await waiting).answer.events
  expect((await wait(first!.seq)).answer.events[0]).toEqual(second)
})

test.for<[path: string, detail: string]>([
  ['/events?type=link.payed', 'There is no event type link.payed, did you mean link.paid?'],
  ['/links?acount=x', 'The query has the unknown key acount, did you mean account?'],
  ['/links?limit=abc', 'limit in the query is "abc". It should be a whole number from 1 to 1000'],
])(
  'the query %s is refused, because it would match nothing or everything',
  async ([path, detail], { sandbox }) => {
    const { status, answer } = await sandbox.rawControl('GET', path)
    expect([status, answer.detail]).toEqual([400, expect.stringContaining(detail)])
  },
)

test.for<[match: object, detail: string]>([
  [{}, 'The match is empty, so any event would match'],
  [{ type: 'link.payed' }, 'There is no event type link.payed, did you mean link.paid?'],
])('a wait for %j is refused at once', async ([match, detail], { sandbox }) => {
  const { status, answer } = await sandbox.rawControl('POST', '/events/wait', { match, timeoutMs: 60_000 })
  expect([status, answer.detail]).toEqual([400, expect.stringContaining(detail)])
})

test('a wait times out even if garbage is collected during the wait', async ({ sandbox }) => {
  const waiting = sandbox.control('POST', '/events/wait', { match: { type: 'link.paid' }, timeoutMs: 300 })
  // This request is answered after the one above has been accepted.
  await sandbox.control('GET', '/info')
  collectGarbage()
  expect((await waiting).status).toBe(408)
})

test('a wait continues after a reset', async ({ sandbox }) => {
  for (let links = 0; links < 5; links++) await sandbox.createLink()
  const waiting = sandbox.control('POST', '/events/wait', {
    match: { type: 'link.paid' },
    timeoutMs: 20_000,
  })
  await sandbox.control('POST', '/reset')
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')
  expect((await waiting).answer.events).toMatchObject([{ type: 'link.paid', payId: 1001 }])
})

test('behaviors are listed with the text of the reference, set, and reset', async ({ sandbox }) => {
  const find = (answer: { behaviors: { name: string }[] }, name: string) =>
    answer.behaviors.find((one) => one.name === name)

  const before = await sandbox.control('GET', '/behaviors')
  expect(find(before.answer, 'payId')).toMatchObject({
    value: 'same',
    chosen: false,
    options: ['same', 'distinct'],
    reference: expect.stringContaining('linktopay_id'),
  })
  const changed = await sandbox.control('PATCH', '/behaviors', {
    payId: 'distinct',
    rateLimit: '60/min',
  })
  expect([find(changed.answer, 'payId'), find(changed.answer, 'rateLimit')]).toMatchObject([
    { value: 'distinct', chosen: true },
    { value: '60/min' },
  ])
  const back = await sandbox.control('PATCH', '/behaviors', {
    payId: null,
  })
  expect(find(back.answer, 'payId')).toMatchObject({ value: 'same', chosen: false })
})

test.for<[body: object, detail: string]>([
  [{ payid: 'same' }, 'There is no behavior payid, did you mean payId?'],
  [{ payId: 'other' }, 'payId cannot be other. It must be same or distinct.'],
  [{ rateLimit: '0/min' }, 'rateLimit cannot be 0/min. It must be none or <n>/min.'],
  [
    { errorStatus: 'http', retries: '5s, 1w' },
    'retries cannot be 5s, 1w. It must be none or <waits>, like 5s,30s,2m,1h: at most 20 of them, each from 1s to 30d.',
  ],
  [
    { order: 'random' },
    'order cannot be random. It must be together or webhook-first or redirect-first or <events>, like redirect,success,cancel.',
  ],
])('the behaviors %j are all refused', async ([body, detail], { sandbox }) => {
  const { status, answer } = await sandbox.rawControl('PATCH', '/behaviors', body)
  expect([status, answer.detail]).toEqual([400, detail])
  expect((await sandbox.control('GET', '/info')).answer).toMatchObject({ behaviors: { errorStatus: 'ok' } })
})

test('a reset returns to the seed, ids included', async () => {
  await using sandbox = await openSandbox({ behaviors: { amountText: 'two-decimals' } })
  const before = (await sandbox.control('GET', '/info')).answer
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.control('PATCH', `/accounts/${shop.id}`, { name: 'Changed' })
  await sandbox.control('PATCH', '/behaviors', { errorStatus: 'http' })

  await sandbox.control('POST', '/reset')

  const after = (await sandbox.control('GET', '/info')).answer
  expect(after).toMatchObject({ counts: before.counts as object, behaviors: before.behaviors as object })
  expect(after.epoch).not.toBe(before.epoch)
  expect((await sandbox.control('GET', `/accounts/${shop.id}`)).answer.name).toBe('Flower Shop')
  expect((await sandbox.createLink()).id).toBe(1001)
})

test('a request with a Content-Type and no body is read as an empty object', async ({ sandbox }) => {
  const response = await fetch(`${sandbox.url}/_sandbox/v1/reset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  expect(await response.json()).toMatchObject({ to: 'seed' })
})

test('an account.changed event names the changed fields without their values', async ({ sandbox }) => {
  const changes = { apiKey: 'devAnotherKeyOfTheShop01', name: shop.name, billing: { city: 'Potsdam' } }
  await sandbox.control('PATCH', `/accounts/${shop.id}`, changes)
  const { answer } = await sandbox.control('GET', '/events?type=account.changed')
  expect(answer.events).toMatchObject([{ name: shop.name, fields: ['apiKey', 'billing'] }])
  expect(JSON.stringify(answer)).not.toContain('devAnotherKey')
})

test('a PATCH without changes records no event', async ({ sandbox }) => {
  expect((await sandbox.control('PATCH', `/accounts/${shop.id}`, {})).answer).toMatchObject({
    name: 'Flower Shop',
  })
  expect((await sandbox.control('GET', '/events?type=account.changed')).answer.events).toEqual([])
})

test('a reset to empty deletes every account', async ({ sandbox }) => {
  await sandbox.control('POST', '/reset', { to: 'empty' })
  expect((await sandbox.control('GET', '/info')).answer).toMatchObject({
    counts: { accounts: 0, invoices: 0, events: 1 },
  })
})

/** Less than 1 MiB as JSON. */
const MANY_KEYS = Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`k${index}`, 1]))

test.for<[what: string, request: RequestInit & { path?: string }, status: number, detail: string]>([
  [
    'text that is not JSON',
    { body: '{', headers: { 'content-type': 'application/json' } },
    400,
    'Malformed JSON',
  ],
  ['a body of another type', { body: '{"to":"empty"}', headers: {} }, 415, 'The body is not JSON'],
  [
    'an unknown key',
    { body: '{"too":"empty"}', headers: { 'content-type': 'application/json' } },
    400,
    'has the unknown key too, did you mean to?',
  ],
  [
    'a body above 1 MiB',
    {
      body: JSON.stringify({ to: 'x'.repeat(1024 * 1024) }),
      headers: { 'content-type': 'application/json' },
    },
    413,
    'at most 1 MiB',
  ],
  [
    'JSON with another content type',
    { body: '{"to":"empty"}', headers: { 'content-type': 'application/json-patch' } },
    415,
    'The body is not JSON',
  ],
  [
    'deep nesting',
    {
      path: '/events/wait',
      body: `{"match":{"a":${'['.repeat(1000)}${']'.repeat(1000)}}}`,
      headers: { 'content-type': 'application/json' },
    },
    400,
    'levels deep. It may be nested at most 32 levels deep.',
  ],
  [
    'many unknown keys',
    {
      path: '/events/wait',
      body: JSON.stringify({ match: { type: 'link.created', link: MANY_KEYS }, timeoutMs: 1 }),
      headers: { 'content-type': 'application/json' },
    },
    400,
    'The body has 90004 keys. It may have at most 1000.',
  ],
  ['an unknown path', { path: '/nowhere' }, 404, 'There is no POST /_sandbox/v1/nowhere'],
])(
  'a request with %s returns a problem, and changes nothing',
  async ([_what, { path = '/reset', ...request }, status, detail], { sandbox }) => {
    const response = await fetch(`${sandbox.url}/_sandbox/v1${path}`, { method: 'POST', ...request })

    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      'application/problem+json',
    ])
    expect(await response.json()).toMatchObject({ status, detail: expect.stringContaining(detail) })
    expect((await sandbox.control('GET', '/info')).answer).toMatchObject({ counts: { accounts: 4 } })
  },
)

test('the first twenty mistakes of a body are listed', async ({ sandbox }) => {
  const changes = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`payId${index}`, index]))
  const only = Array.from({ length: 1_000 }, (_, index) => index)

  const behaviors = await sandbox.rawControl('PATCH', '/behaviors', changes)
  const check = await sandbox.rawControl('POST', '/checks/receiver', { url: 'http://127.0.0.1:9/', only })

  expect([behaviors.status, behaviors.answer.errors]).toEqual([400, expect.objectContaining({ length: 20 })])
  expect([check.status, check.answer.errors]).toEqual([400, expect.objectContaining({ length: 20 })])
})
