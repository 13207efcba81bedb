import { whySkipped } from '../../../server/contract/format/why-skipped.ts'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { checkNames, type CheckName } from '../../../server/verify/receiver-check/cases.ts'
import { connectSandbox } from '../../../server/client/connect-sandbox.ts'
import { Shop, startShop } from '../../../fixtures/laboratory/shop.ts'
import { startCheckedApp, type Flaw } from '../../support/checked-app.ts'
import { openSandbox, type OpenSandbox } from '../../support/sandbox.ts'
import { startReceiver } from '../../support/receiver.ts'
import { test } from '../../support/test.ts'

let running: OpenSandbox
let sandbox: Awaited<ReturnType<typeof connectSandbox>>

beforeAll(async () => {
  running = await openSandbox()
  sandbox = await connectSandbox(running.url)
})
afterAll(() => running.close())

function signal() {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve: (): void => resolve() }
}

/** Without two cases: one takes two seconds, the other needs an app that runs as a process. */
const quick = checkNames.filter((name) => name !== 'slow-body' && name !== 'killed-after-answer')

/** Checks an app that creates orders with its own account. */
async function checkApp(flaw: Flaw | undefined, only: readonly CheckName[]) {
  const { url, apiKey, id } = { url: running.url, ...(await sandbox.createAccount()) }
  await using app = await startCheckedApp({ url, apiKey }, flaw)
  const report = await sandbox.check(app.receiver, {
    orderUrl: app.orderUrl,
    stateUrl: app.stateUrl,
    refundUrl: app.refundUrl,
    countPointer: '/fulfilled',
    // An app without mistakes never needs this time, however busy the machine is.
    timeoutMs: flaw === undefined ? 60_000 : 500,
    only,
  })
  const of = (outcome: string) => report.results.filter((result) => result.outcome === outcome)
  return { report, failed: of('failed'), skipped: of('skipped'), accountId: id }
}

/** The cases that need further options, or an app whose orders the check chooses. */
const NOT_POSSIBLE = [
  'amount-whole',
  'amount-odd',
  'amount-large-off-by-a-cent',
  'note-empty',
  'note-utf8',
  'note-reserved',
  'note-four-bytes',
  'note-long',
  'note-shared',
  'note-similar',
  'note-odd',
  'answer-to-stranger',
  'cancelled-state',
  'older-link-cancelled-again',
  'older-link-paid',
  'older-link-paid-during-order',
  'newer-link-cancelled',
  'newer-link-paid',
  'slow-json',
  'changed-order-paid',
  'old-price-paid',
  'both-links-paid',
  'both-links-paid-at-once',
  'refund-of-a-part',
  'refund-of-changed-order',
  'payment-after-refund',
  'killed-after-answer',
]

describe('example apps', () => {
  test('an app without mistakes passes every case', async () => {
    const { report, failed, skipped } = await checkApp(undefined, checkNames)

    expect(failed).toEqual([])
    expect(new Set(skipped.map(({ name }) => name))).toEqual(new Set(NOT_POSSIBLE))
    expect(report).toMatchObject({
      checked: 'fulfilments',
      passed: checkNames.length - NOT_POSSIBLE.length,
      failed: 0,
    })
    expect(report.results.map(({ name }) => name)).toEqual(checkNames)
  })

  test('an app that reads only the first piece of a body fails the case of a slow body', async () => {
    const { failed } = await checkApp('reads the first piece only', ['slow-body', 'json'])
    expect(failed.map(({ name }) => name)).toEqual(['slow-body'])
  })
})

test.each<[flaw: Flaw, seen: RegExp]>([['redirects', /^the app answered 302 to \/login, from http/]])(
  'a receiver that %s has not accepted a webhook',
  async (flaw, seen) => {
    const { failed } = await checkApp(flaw, ['form-encoded-brackets'])

    expect(failed).toMatchObject([
      { expected: expect.stringContaining('a 2xx'), seen: expect.stringMatching(seen) },
    ])
    expect(failed[0]!.repeat).toMatch(/^curl 'http:.*data%5Bstatus%5D=Success.*'$/)
    expect(failed[0]!.exchange?.response).toMatchObject({ status: 302 })
  },
)

test('a page that redirects without end fails the case, with the addresses of the circle', async () => {
  const { failed } = await checkApp('redirects its page to itself', ['json', 'redirect-before-webhook'])

  expect(failed).toMatchObject([
    {
      name: 'redirect-before-webhook',
      seen: expect.stringMatching(
        /^the app redirects in a circle: http\S+\/thanks\S+ → \/thanks\S+( → \/thanks\S+)?, and so on$/,
      ),
    },
  ])
})

test('the API key is found in the answer to an order', async () => {
  const { failed } = await checkApp('shows its key after an order', ['json', 'api-key'])

  expect(failed).toMatchObject([
    { name: 'api-key', seen: expect.stringMatching(/^the answer of POST \S+\/orders contains the API key$/) },
  ])
})

test('a check that cannot read orders looks only at answers', async ({ receiver }) => {
  const report = await sandbox.check(receiver.url, { only: quick })

  expect(report).toMatchObject({ checked: 'answers', failed: 0 })
  const notes = receiver.received.map(({ pairs }) => pairs['data[note]'])
  expect(notes).toContain('')
  expect(notes).toContainEqual(expect.stringMatching(/^Zoë – 東京 ☕ \w+$/))
  expect(notes).toContainEqual(expect.stringMatching(/^a=b&c=d\+e%20f \w+$/))
  expect(receiver.received.map(({ pairs }) => pairs['data[amount]'])).toEqual(
    expect.arrayContaining(['10', '10.5', '10.50']),
  )
})

test('the state of orders can be read and created by functions', async () => {
  const account = await sandbox.createAccount()
  await using app = await startCheckedApp({ url: running.url, apiKey: account.apiKey })
  const told: string[] = []
  const report = await sandbox.check(app.receiver, {
    only: ['repeated', 'redirect-alone'],
    createOrder: () => app.makeOrder(),
    orderState: ({ note }) => {
      const order = app.orders.get(note)
      return { paid: order?.status === 'paid', times: order?.fulfilled }
    },
    onResult: ({ name, outcome }) => told.push(`${name} ${outcome}`),
  })

  expect(report.passed).toBe(2)
  expect(told.toSorted()).toEqual(['redirect-alone passed', 'repeated passed'])
})

test('an app that refuses orders during the check fails with one cause', async () => {
  const account = await sandbox.createAccount()
  await using app = await startCheckedApp({ url: running.url, apiKey: account.apiKey })
  let stock = 3
  const { results } = await sandbox.check(app.receiver, {
    only: ['extra-fields', 'repeated', 'cancelled'],
    createOrder() {
      if (stock === 0) throw new Error('Sold out')
      stock -= 1
      return app.makeOrder()
    },
    orderState: ({ note }) => ({ paid: app.orders.get(note)?.status === 'paid' }),
  })

  const seen = 'an order was refused, and orders like it were taken before: Sold out'
  expect(results.map(({ problem, seen: one }) => ({ problem, seen: one }))).toEqual([
    { problem: null, seen: '200' },
    { problem: 'order-refused', seen },
    { problem: 'order-refused', seen },
  ])
  expect(results.filter(({ sameAs }) => sameAs !== null)).toHaveLength(1)
})

test('an order-state module that never says that an order is paid fails the case with the reason', async () => {
  const account = await sandbox.createAccount()
  await using app = await startCheckedApp({ url: running.url, apiKey: account.apiKey })
  const report = await sandbox.check(app.receiver, {
    only: ['forged-amount'],
    createOrder: () => app.makeOrder(),
    orderState: () => ({ paid: false }),
    timeoutMs: 100,
  })

  expect(report.results).toMatchObject([
    { outcome: 'failed', seen: 'a good webhook fails: the order was not paid within 0.1 s' },
  ])
})

test('an endless answer of the state URL is not read to its end', async ({ receiver }) => {
  let isOpen = true
  function* endless() {
    yield '{"status":"paid"'
    for (;;) yield ' '.repeat(65_536)
  }
  await using state = await startReceiver((_received, response) => {
    Readable.from(endless()).pipe(response)
    response.once('close', () => {
      isOpen = false
    })
  })
  const { answer } = await running.rawControl('POST', '/checks/receiver', {
    url: receiver.url,
    stateUrl: `${state.url}/{note}`,
    only: ['json'],
  })
  expect(answer.detail).toContain('did not answer with JSON')
  await expect.poll(() => isOpen).toBe(false)
})

test('after the app stops, the current case fails and the following ones are skipped', async () => {
  await using receiver = await startReceiver((_received, response) => {
    response.socket!.destroy()
    void receiver[Symbol.asyncDispose]()
  })
  const report = await sandbox.check(receiver.url, {
    only: ['form-encoded-brackets', 'json', 'extra-fields'],
  })
  expect(report.results.map(({ outcome, seen }) => [outcome, seen])).toEqual([
    ['failed', expect.stringContaining('check that the app is still running')],
    ['skipped', 'the receiver has not been reachable since form-encoded-brackets'],
    ['skipped', 'the receiver has not been reachable since form-encoded-brackets'],
  ])
})

test('a check ends after three unanswered webhooks, and advises about a 404', async () => {
  await using impatient = await openSandbox({ deliveryTimeoutMs: 200 })
  await using silent = await startReceiver(() => {})
  await expect((await connectSandbox(impatient.url)).check(silent.url)).rejects.toThrow(
    `Nothing was checked, because ${silent.url} did not completely answer any of 3 webhooks: no answer within 0.2 s`,
  )
  expect(silent.received).toHaveLength(3)

  await using other = await openSandbox()
  const own = await connectSandbox(other.url)
  await using elsewhere = await startReceiver((_received, response) => response.writeHead(404).end())
  const { advice, failed, mistakes } = await own.check(elsewhere.url, { only: quick })
  expect(failed).toBeGreaterThan(10)
  expect(mistakes[0]!.title).toBe('Your app answers every webhook with 404')
  expect(advice).toMatch(/^Compare the path .* pass --order-url\.$/)
  // Diagnostics about the check's own webhooks are not listed for the account.
  expect((await own.diagnostics()).map(({ code }) => code)).toEqual([])
})

test('a case whose webhook gets no answer in time is late, and its mistake names that', async () => {
  await using impatient = await openSandbox({ deliveryTimeoutMs: 1_000 })
  await using some = await startReceiver(({ body }, response) => {
    if (!body.includes('currency')) response.end()
  })
  const { results, mistakes } = await (
    await connectSandbox(impatient.url)
  ).check(some.url, { only: ['json', 'extra-fields'] })

  expect(results.map(({ outcome, seen, isLate }) => [outcome, seen, isLate])).toEqual([
    ['passed', '200', undefined],
    ['failed', 'no answer within 1 s', true],
  ])
  expect(mistakes.map((mistake) => [mistake.case, mistake.remedy])).toEqual([
    [
      'extra-fields',
      expect.stringContaining('Store what you received, answer, and do slow work afterwards.'),
    ],
  ])
})

test('an answer with status 200 that never ends fails the case, and ends the check if no answer ends', async () => {
  await using impatient = await openSandbox({ deliveryTimeoutMs: 1_000 })
  const own = await connectSandbox(impatient.url)
  await using some = await startReceiver(({ body }, response) => {
    response.writeHead(200).write('so far')
    if (!body.includes('currency') && body !== '') response.end()
  })
  const { results } = await own.check(some.url, { only: ['json', 'extra-fields', 'empty-body'] })
  const seen = `the app answered 200, but its answer did not end within 1 s, from ${some.url}`
  expect(results.map((result) => [result.outcome, result.seen])).toEqual([
    ['passed', '200'],
    ['failed', seen],
    ['failed', seen],
  ])

  await using endless = await startReceiver((_received, response) => void response.writeHead(200).write('so'))
  await expect(own.check(endless.url)).rejects.toThrow(
    `${endless.url} did not completely answer any of 3 webhooks: its answer did not end within 1 s.`,
  )
})

test('a receiver that accepts only JSON fails only the cases that send a form', async () => {
  await using receiver = await startReceiver(({ contentType }, response) => {
    response.writeHead(contentType.startsWith('application/json') ? 200 : 400).end()
  })
  const { results, advice } = await sandbox.check(receiver.url, { only: quick })
  expect(results.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)).toEqual([
    'form-encoded-brackets',
    'form-literal-brackets',
    'form-charset',
  ])
  expect(advice).toMatch(/^The receiver accepts only JSON\. .* also parse forms\.$/)
  const skipped = await sandbox.check(receiver.url, {
    only: quick,
    skip: ['form-encoded-brackets', 'form-literal-brackets', 'form-charset'],
  })
  expect([skipped.failed, skipped.results.length]).toEqual([0, quick.length - 3])

  // A single case of the three is enough to detect the format.
  const one = await sandbox.check(receiver.url, { only: ['form-charset'] })
  expect(one.advice).toBe(advice)

  // The first case has another purpose, so a webhook is sent to detect the format.
  const some = await sandbox.check(receiver.url, { only: ['extra-fields', 'forged-amount'] })
  expect(some).toMatchObject({ passed: 2, advice: null })
})

test.each<[title: string, takes: (contentType: string, body: string) => boolean]>([
  ['accepts some forms', (type, body) => type.endsWith('json') || body.includes('data[pay_id]')],
  ['accepts nothing', () => false],
  ['accepts only forms', (type) => !type.startsWith('application/json')],
])('a receiver that %s gets no advice about JSON', async (_title, takes) => {
  await using receiver = await startReceiver(({ contentType, body }, response) => {
    response.writeHead(takes(contentType, body) ? 200 : 400).end()
  })
  const report = await sandbox.check(receiver.url, {
    only: ['form-encoded-brackets', 'form-literal-brackets', 'json'],
  })
  expect(report.failed).toBeGreaterThan(0)
  expect(report.advice ?? '').not.toContain('JSON')
})

test.each(['text/html; charset=utf-8', 'text/html'])('the answer "ok" is accepted as %s', async (type) => {
  await using receiver = await startReceiver((_received, response) =>
    response.writeHead(200, { 'content-type': type }).end('ok'),
  )
  const report = await sandbox.check(receiver.url, { only: quick })

  expect(report).toMatchObject({ failed: 0, advice: null })
})

test('a receiver that answers with a login page fails for one cause, and the cases that depend on good webhooks are skipped', async () => {
  await using receiver = await startReceiver((_received, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html><form>'),
  )
  const { results, passed } = await sandbox.check(receiver.url, { only: quick })
  const failed = results.filter(({ outcome }) => outcome === 'failed')

  expect(passed).toBe(0)
  expect(failed[0]).toMatchObject({
    name: 'form-encoded-brackets',
    seen: `the app answered 200 "<!doctype html><form>" (text/html; charset=utf-8), from ${receiver.url}`,
    sameAs: null,
  })
  expect(new Set(failed.slice(1).map(({ sameAs }) => sameAs))).toEqual(new Set(['form-encoded-brackets']))
  for (const name of ['missing-status', 'garbage-form', 'empty-body', 'forged-amount']) {
    expect(results).toContainEqual(
      expect.objectContaining({
        name,
        outcome: 'skipped',
        skipReason: 'inconclusive',
        seen: 'even a good webhook fails: mend form-encoded-brackets first',
      }),
    )
  }
})

test('two answers that differ only in the note of their order have the same cause', async () => {
  await using receiver = await startReceiver(({ pairs }, response) =>
    response.writeHead(422).end(`unknown order ${pairs['data[note]']}`),
  )
  const { results, advice, mistakes } = await sandbox.check(receiver.url, {
    only: ['form-encoded-brackets', 'form-charset', 'extra-fields'],
  })
  expect(results.map(({ sameAs }) => sameAs)).toEqual([
    null,
    'form-encoded-brackets',
    'form-encoded-brackets',
  ])
  expect(mistakes[0]!.title).toMatch(/^Your app answers every webhook with 422 "unknown order [^"]+"$/)
  expect(advice).toBe(
    'If your app rejects orders that it does not know, let it create the orders: pass --order-url.',
  )
})

test('the mistake of an app that refuses every webhook names its answer, and the advice their account', async () => {
  const { apiKey, id } = await sandbox.createAccount()
  await using shop = await startShop(
    { url: running.url, apiKey },
    { receive: async (c) => c.text('Unknown account', 400) },
  )

  const { advice, mistakes } = await sandbox.check(shop.receiver, {
    orderUrl: shop.orderUrl,
    orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
    only: ['form-encoded-brackets', 'form-charset'],
  })

  expect(mistakes[0]!.title).toBe('Your app answers every webhook with 400 "Unknown account"')
  expect(advice).toContain(
    `The webhooks have the user_id ${id}, of the account whose API key created the links.`,
  )
})

test.for([
  [
    302,
    { location: '/login?next=webhooks' },
    '',
    '302 to /login?next=webhooks',
    'Exclude /webhook from the login check.',
  ],
  [
    301,
    { location: '/webhooks/' },
    '',
    '301 to /webhooks/',
    'Answer POST /webhook itself with 2xx, without a redirect.',
  ],
  [
    500,
    { 'content-type': 'text/html' },
    '<pre>TypeError: no order\n    at receive (/app/webhook.js:12:5)</pre>',
    '500 "TypeError: no order"',
    'Fix the exception at /app/webhook.js:12:5.',
  ],
  [
    503,
    {},
    'Down for maintenance',
    '503 "Down for maintenance"',
    'Find the error in the log of {host}, and fix it.',
  ],
] as const)(
  'an app that answers every webhook with %i gets advice about this answer',
  async ([status, headers, body, answer, advice]) => {
    await using receiver = await startReceiver((_received, response) =>
      response.writeHead(status, headers).end(body),
    )
    const report = await sandbox.check(receiver.url, { only: ['form-encoded-brackets', 'form-charset'] })
    expect(report.mistakes.map(({ title, remedy }) => [title, remedy])).toEqual([
      [`Your app answers every webhook with ${answer}`, advice.replace('{host}', new URL(receiver.url).host)],
    ])
  },
)

test('a failed forgery shows the webhook of its own order', async () => {
  const { apiKey } = await sandbox.createAccount()
  await using shop = await startShop(
    { url: running.url, apiKey },
    {
      async handle(order, notification, number, body) {
        order.memory.isJson = body.startsWith('{')
        await Shop.prototype.handle.call(this, order, notification, number, body)
      },
      isPrice: (order, amount) => order.memory.isJson === true || Number(amount) * 100 === order.cents,
    },
  )

  const { results } = await sandbox.check(shop.receiver, {
    orderUrl: shop.orderUrl,
    orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
    stateUrl: shop.stateUrl,
    only: ['forged-amount'],
  })

  expect(results).toMatchObject([
    {
      outcome: 'failed',
      seen: expect.stringContaining('a webhook in JSON'),
      exchange: { request: { body: { content: expect.stringMatching(/^\{/) } } },
    },
  ])
})

test('a shop may take payments to another account of its own', async () => {
  await using fresh = await openSandbox()
  const handle = await connectSandbox(fresh.url)
  const { apiKey } = await handle.createAccount()
  const other = await handle.createAccount()
  await using shop = await startShop(
    { url: fresh.url, apiKey },
    {
      isOurs: (order, userId) => userId === other.id || order.links.every((link) => link.userId === userId),
    },
  )
  const options = {
    orderUrl: shop.orderUrl,
    orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
    stateUrl: shop.stateUrl,
    only: ['forged-user'] as const,
  }

  const foreign = await handle.check(shop.receiver, options)
  await other.createLink({ amount: 1, paymentEndpoint: `${shop.url}/webhooks/other` })
  const own = await handle.check(shop.receiver, options)

  expect(foreign.results).toMatchObject([{ outcome: 'failed', seen: expect.stringContaining(other.id) }])
  expect(own.results).toMatchObject([{ outcome: 'passed' }])
  expect(own.notChecked).toContain(
    `Whether a webhook with the user_id ${other.id} pays an order, because your app also has links of this account.`,
  )
})

test('failed cases with the same symptom are reported separately if good webhooks pass', async () => {
  await using receiver = await startReceiver(({ body }, response) =>
    response.writeHead(body === '' || body.includes('currency') ? 500 : 200).end(),
  )
  const { results } = await sandbox.check(receiver.url, { only: ['json', 'extra-fields', 'empty-body'] })
  expect(results.map(({ outcome, sameAs }) => [outcome, sameAs])).toEqual([
    ['passed', null],
    ['failed', null],
    ['failed', null],
  ])
})

test('a case fails if a good webhook fails after a bad one', async () => {
  const account = await sandbox.createAccount()
  await using app = await startCheckedApp({ url: running.url, apiKey: account.apiKey })
  let isBroken = false
  const report = await sandbox.check(app.receiver, {
    only: ['form-encoded-brackets', 'forged-amount'],
    createOrder: () => app.makeOrder(),
    orderState: ({ note }) => ({ paid: !isBroken && app.orders.get(note)?.status === 'paid' }),
    onResult: () => {
      isBroken = true
    },
    timeoutMs: 100,
  })
  expect(report.results.map(({ outcome, seen }) => [outcome, seen])).toEqual([
    ['passed', '200'],
    [
      'failed',
      'a good webhook for another order, sent afterwards, failed: the order was not paid within 0.1 s',
    ],
  ])
})

test('a receiver that rejects good webhooks proves nothing by rejecting bad ones', async () => {
  await using receiver = await startReceiver(({ body }, response) => {
    response.writeHead(body === '' ? 500 : 404).end()
  })
  const { results } = await sandbox.check(receiver.url, {
    only: ['garbage-form', 'empty-body', 'forged-amount'],
  })
  expect(results.map(({ outcome, seen }) => [outcome, seen])).toEqual([
    ['failed', `a good webhook fails: the app answered 404, from ${receiver.url}`],
    ['failed', expect.stringMatching(/^the app answered 500/)],
    ['skipped', 'even a good webhook fails: mend garbage-form first'],
  ])
})

test('without a count of fulfillments, the report says that only orders were checked', async () => {
  const account = await sandbox.createAccount()
  await using app = await startCheckedApp(
    { url: running.url, apiKey: account.apiKey },
    'counts every webhook',
  )
  const { orderUrl, stateUrl, receiver } = app
  const report = await sandbox.check(receiver, { orderUrl, stateUrl, only: ['repeated'] })

  expect(report).toMatchObject({ checked: 'orders', passed: 1 })
})

test('webhooks go to the targets of the link, and the account keeps its behavior payId', async ({
  receiver,
}) => {
  const account = await sandbox.createAccount()
  await using own = await startReceiver()
  const report = await sandbox.check(receiver.url, {
    only: ['json', 'unknown-pay-id', 'pay-id-is-not-id'],
    createOrder: async () => (await account.createLink({ amount: 3, paymentEndpoint: own.url })).payLink,
  })

  expect(report.passed).toBe(3)
  const [form, json] = ['application/x-www-form-urlencoded', 'application/json']
  // The second webhook is a good one. It shows which format the receiver accepts.
  expect(own.received.map(({ contentType }) => contentType)).toEqual([json, form, form])
  const unknown = expect.stringMatching(/^9\d{11}$/)
  expect(receiver.received.map(({ pairs }) => pairs['data[pay_id]'])).toEqual([unknown, unknown, unknown])
  const [last] = await account.links({ limit: 1 })
  expect(last!.payId).not.toBe(last!.id)
  expect(own.received[2]!.pairs['data[pay_id]']).toBe(String(last!.payId))
  expect((await account.behaviors.read()).payId).toBe('same')
})

test('a check removes the account that it created', async ({ receiver }) => {
  const before = await sandbox.accounts()
  await sandbox.check(receiver.url, { only: ['json'] })
  expect(await sandbox.accounts()).toHaveLength(before.length)
})

test.each<[wrong: string, receiver: string, options: object, message: RegExp]>([
  [
    'a receiver that is not a URL',
    'nowhere',
    {},
    /^The receiver is nowhere, which is not an http or https URL\. Give one like/,
  ],
  [
    'a receiver that does not listen',
    'http://127.0.0.1:1/',
    {},
    /cannot be reached: connection refused.*Start your app/,
  ],
  [
    'a public receiver',
    'https://example.com/',
    {},
    /^Nothing was sent to https:\/\/example\.com\/: example\.com is not on/,
  ],
  [
    'a public state URL',
    'http://127.0.0.1:1/',
    { stateUrl: 'https://example.com/{note}' },
    /^Nothing was sent to https/,
  ],
  [
    'a public order URL',
    'http://127.0.0.1:1/',
    { orderUrl: 'https://example.com/' },
    /^Nothing was sent to https/,
  ],
  ['a metadata address', 'http://169.254.169.254/', {}, /nothing is ever sent there/],
  [
    'an unknown case',
    'http://127.0.0.1:1/',
    { only: ['repeatd'] },
    /no case repeatd\. Did you mean repeated\?/,
  ],
  [
    'a state URL without a placeholder',
    'http://127.0.0.1:1/',
    { stateUrl: 'http://a.localhost/' },
    /does not identify an order/,
  ],
  [
    'an unknown placeholder',
    'http://127.0.0.1:1/',
    { stateUrl: 'http://a.localhost/{nte}' },
    /Did you mean \{note\}/,
  ],
  [
    'a misspelled placeholder in the order body',
    'http://127.0.0.1:1/',
    { orderUrl: 'http://a.localhost/', orderBody: 'order={ordre}' },
    /order body has an unknown placeholder \{ordre\}\. Did you mean \{order\}/,
  ],
  ['a malformed pointer', 'http://127.0.0.1:1/', { statePointer: 'status' }, /begins with a slash/],
  ['a paid value without a state URL', 'http://127.0.0.1:1/', { paidValue: 'yes' }, /Also pass --state-url/],
])('a check with %s is rejected before anything is sent', async (_wrong, receiver, options, message) => {
  await expect(sandbox.check(receiver, options)).rejects.toMatchObject({
    name: 'CheckError',
    message: expect.stringMatching(message),
  })
})

test('a check says so if the app uses another sandbox, in which the same link exists', async () => {
  await using other = await openSandbox()
  const [link] = [await other.createLink(), await running.createLink()]
  await expect(
    sandbox.check('http://127.0.0.1:1/', { createOrder: async () => link.pay_link, only: ['json'] }),
  ).rejects.toThrow(`another sandbox, and this check uses ${running.url}. Pass --sandbox ${other.url}`)
})

test('a check says so if the sandbox has not created the link of an order', async () => {
  const link = running.url + '/payment?link_id=plUnknown'
  await expect(
    sandbox.check('http://127.0.0.1:1/', { createOrder: async () => link, only: ['json'] }),
  ).rejects.toThrow(
    `Nothing was checked, because your app shows the link ${link}, which this sandbox has not created. Point your app at ${running.url}, or `,
  )
})

test('the control API runs a check', async () => {
  await using receiver = await startReceiver((_received, response) => response.writeHead(500).end())
  const { status, answer } = await running.control('POST', '/checks/receiver', {
    url: receiver.url,
    only: ['json', 'empty-body'],
  })
  expect([status, answer]).toMatchObject([200, { passed: 0, failed: 2, checked: 'answers' }])

  const refused = await running.control('POST', '/checks/receiver', { url: 'https://example.com/' })
  expect([refused.status, refused.answer]).toMatchObject([422, { title: 'Unprocessable Entity' }])
})

test('a probe sends any bytes, but only to allowed targets', async ({ receiver }) => {
  const { answer } = await running.control('POST', '/checks/probe', {
    to: receiver.url,
    contentType: 'text/plain',
    body: 'Zoë',
    check: 'by hand',
  })
  expect(answer).toMatchObject({ status: 200, error: null, findings: [] })
  const { events } = (await running.control('GET', '/events?type=check.sent&limit=1')).answer
  expect(events).toMatchObject([{ target: receiver.url, check: 'by hand', httpStatus: 200, error: null }])
  const recorded = await running.control('GET', `/events/${events[0]!.seq}`)
  expect(recorded.answer).toMatchObject({ exchange: { request: { body: { content: 'Zoë' } } } })
  expect(receiver.received).toMatchObject([{ contentType: 'text/plain', body: 'Zoë' }])

  const refused = await running.control('POST', '/checks/probe', { to: 'https://example.com/' })
  expect([refused.status, refused.answer]).toMatchObject([422, { title: 'Unprocessable Entity' }])
})

test('requests with the same id end together, even if one of them fails', async () => {
  let ended = 0
  const { promise: firstBegun, resolve } = signal()
  const app = createServer((request, response) => {
    resolve()
    request.resume().once('end', () => {
      ended += 1
      response.end()
    })
  })
  app.listen(0, '127.0.0.1')
  await once(app, 'listening')
  const probe = (to: string) =>
    running.control('POST', '/checks/probe', { to, body: 'a=1', atOnce: { id: 'group', count: 3 } })
  const { port } = app.address() as AddressInfo
  const first = probe(`http://127.0.0.1:${port}/`)
  await firstBegun
  const failed = await probe('http://127.0.0.1:1/')
  expect([failed.answer.status, ended]).toEqual([null, 0])
  const answers = await Promise.all([first, probe(`http://127.0.0.1:${port}/`)])
  expect(answers.map(({ answer }) => answer.status)).toEqual([200, 200])
  app.close()
})

test('a request that breaks off on purpose first waits until all requests with the same id have arrived', async () => {
  let broken = 0
  const { promise: firstBegun, resolve } = signal()
  const app = createServer((request, response) => {
    resolve()
    request.once('close', () => (broken += request.complete ? 0 : 1))
    request.resume().once('end', () => response.end())
  })
  app.listen(0, '127.0.0.1')
  await once(app, 'listening')
  const to = `http://127.0.0.1:${(app.address() as AddressInfo).port}/`
  const probe = (more: object) =>
    running.control('POST', '/checks/probe', { to, body: 'a=1', atOnce: { id: 'pair', count: 2 }, ...more })
  const first = probe({ hangUp: 'body' })
  await firstBegun
  await running.control('GET', `/checks/reach?url=${encodeURIComponent(to)}`)
  expect(broken).toBe(0)
  const answers = await Promise.all([first, probe({})])
  expect(answers.map(({ answer }) => answer.status)).toEqual([null, 200])
  app.close()
})

test('a probe shows the normalized address, and rejects a blank content type', async ({ receiver }) => {
  const { answer } = await running.control('POST', '/checks/probe', { to: `${receiver.url}?a=ü b` })
  expect(answer.exchange.request.url).toBe(`${receiver.url}?a=%C3%BC%20b`)

  const broken = await running.rawControl('POST', '/checks/probe', {
    to: `${receiver.url}?a=1\r\nHost: elsewhere`,
  })
  expect([broken.status, broken.answer.detail]).toEqual([400, expect.stringContaining('absolute http')])

  const blank = await running.rawControl('POST', '/checks/probe', { to: receiver.url, contentType: ' ' })
  expect([blank.status, blank.answer.detail]).toEqual([400, expect.stringContaining('not only spaces')])
})

test.for<[title: string, path: string, asked: object]>([
  ['a fault that answers 500', '/faults', { on: 'api', script: '500', times: 'always' }],
  ['a fault that resets connections', '/faults', { on: 'api', script: 'reset', times: 'always' }],
  ['a fault that answers with an API error', '/faults', { on: 'api', script: 'refuse:no', times: 'always' }],
  ['a rate limit', '/behaviors', { rateLimit: '1/min' }],
])(
  'a receiver check ends with advice if %s applies to every account',
  async ([_title, path, asked], { receiver }) => {
    await using own = await openSandbox()
    const made = await own.rawControl(path === '/faults' ? 'POST' : 'PATCH', path, asked)
    expect(made.status).toBeLessThan(300)
    const { status, answer } = await own.rawControl('POST', '/checks/receiver', {
      url: receiver.url,
      only: ['json', 'empty-body'],
    })

    expect([status, answer.title]).toEqual([422, 'Unprocessable Entity'])
    expect(answer.detail).toMatch(
      /^The check ended early\. Creating a payment link failed: .*\. Remove faults/,
    )
    expect((await own.control('GET', '/accounts')).answer.accounts).toHaveLength(4)
    expect(own.problems).toEqual([])
  },
)

test.each<[only: CheckName[], webhook: number, status: number]>([
  [['json'], 1, 200],
  [['pay-id-is-not-id'], 2, 200],
  [['json', 'empty-body'], 1, 422],
])('a reset during %s, at webhook %i, causes no internal error', async (only, webhook, expected) => {
  await using own = await openSandbox()
  let count = 0
  await using receiver = await startReceiver(async (_received, response) => {
    count += 1
    if (count === webhook) await own.control('POST', '/reset', {})
    response.end()
  })
  const { status, answer } = await own.rawControl('POST', '/checks/receiver', { url: receiver.url, only })

  expect(status).toBe(expected)
  if (status === 422) expect(answer.detail).toMatch(/^The check ended early\. .* do not reset .* before/i)
  expect(own.problems).toEqual([])
})

test.for<[state: string, stateUrl: string, said: RegExp]>([
  [
    'nobody listens',
    'http://127.0.0.1:1/{note}',
    /returns no order: .* gave no answer: .*\. Use --state-url to pass the address where/,
  ],
  [
    'the port is forbidden',
    'http://127.0.0.1:6666/{note}',
    /gave no answer: bad port\. Use --state-url to pass the address where/,
  ],
  [
    'the answer is not JSON',
    'PAGE/{note}',
    /did not answer with JSON: <p>\. Use --state-url to pass the address where/,
  ],
  ['no order is known', 'NONE/{note}', /answered 404 for 0\.2 s\. .* also pass --order-url\.$/],
])(
  'a check ends at the first order if %s at the state URL',
  async ([_state, stateUrl, said], { receiver }) => {
    await using page = await startReceiver((_received, response) => response.end('<p>'))
    await using none = await startReceiver((_received, response) => response.writeHead(404).end())
    const { answer, status } = await running.rawControl('POST', '/checks/receiver', {
      url: receiver.url,
      stateUrl: stateUrl.replace('PAGE', page.url).replace('NONE', none.url),
      timeoutMs: 200,
    })

    expect(status).toBe(422)
    expect(answer.detail).toMatch(said)
    expect(receiver.received.length).toBeLessThanOrEqual(1)
  },
)

test('an app may know an order only once it is paid', async () => {
  const paid = new Set<string>()
  await using receiver = await startReceiver(({ pairs }, response) => {
    response.end()
    if (pairs['data[status]'] === 'Success') paid.add(pairs['data[note]']!)
  })
  await using state = await startReceiver(({ path }, response) => {
    const isPaid = paid.has(decodeURIComponent(path.split('/').at(-1)!))
    response.writeHead(isPaid ? 200 : 404).end('{"status":"paid"}')
  })
  const report = await sandbox.check(receiver.url, {
    stateUrl: `${state.url}/{note}`,
    only: ['form-encoded-brackets', 'cancelled'],
    timeoutMs: 2_000,
  })
  expect(report).toMatchObject({ passed: 2, failed: 0 })
})

test('a check by the control API ends when its time is up', async ({ receiver }) => {
  await using state = await startReceiver((_received, response) => response.end('{"status":"open"}'))
  const { status, answer } = await running.rawControl('POST', '/checks/receiver', {
    url: receiver.url,
    stateUrl: `${state.url}/{note}`,
    timeoutMs: 60_000,
    totalTimeoutMs: 500,
  })

  expect(status).toBe(422)
  expect(answer.detail).toMatch(
    /^The check did not finish within 0\.5 s: 0 of \d+ cases have a result\. Run fewer/,
  )
})

test.each(['same', 'distinct', null])('two simultaneous checks restore payId %s', async (payId) => {
  const account = await sandbox.createAccount()
  const path = `/behaviors?account=${account.id}` as const
  await running.control('PATCH', path, { payId })
  const answers: (() => void)[] = []
  await using receiver = await startReceiver(({ pairs }, response) => {
    const answer = () => response.end()
    if (pairs['data[amount]'] === '3') answers.push(answer)
    else answer()
  })
  const check = () => {
    // The first webhook is a good one.
    const amounts = [2, 3]
    return sandbox.check(receiver.url, {
      only: ['pay-id-is-not-id'],
      createOrder: async () => (await account.createLink({ amount: amounts.shift()! })).payLink,
    })
  }
  const reports = [check(), check()]
  await expect.poll(() => answers.length).toBe(2)
  answers[0]!()
  await Promise.race(reports)
  expect((await account.behaviors.read()).payId).toBe('distinct')
  answers[1]!()

  for (const { passed } of await Promise.all(reports)) expect(passed).toBe(1)
  const { answer } = await running.control('GET', path)
  expect(answer.behaviors.find(({ name }) => name === 'payId')).toMatchObject(
    payId === null ? { chosen: false } : { chosen: true, value: payId },
  )
})

test('an app may fulfill a paid order later, but must fulfill it', async () => {
  const account = await sandbox.createAccount()
  await using app = await startCheckedApp({ url: running.url, apiKey: account.apiKey })
  const seenAsPaid = new Set<string>()
  const options = { only: ['json', 'repeated'], createOrder: () => app.makeOrder() } as const
  const later = await sandbox.check(app.receiver, {
    ...options,
    orderState: ({ note }) => {
      const isPaid = app.orders.get(note)?.status === 'paid'
      const isFulfilled = seenAsPaid.has(note)
      if (isPaid) seenAsPaid.add(note)
      return { paid: isPaid, times: isFulfilled ? 1 : 0 }
    },
  })
  expect(later).toMatchObject({ checked: 'fulfilments', passed: 2, problems: [] })

  const never = await sandbox.check(app.receiver, {
    ...options,
    orderState: ({ note }) => ({ paid: app.orders.get(note)?.status === 'paid', times: 0 }),
    timeoutMs: 100,
  })
  expect(never.problems).toMatchObject([{ title: 'A paid order is not fulfilled', cases: ['json'] }])
  expect(never.results[0]!.seen).toBe('the order is paid, and was not fulfilled within 0.1 s')
})

test('a case is skipped if the app gives up before the delayed answer that the case needs', async () => {
  const account = await sandbox.createAccount()
  await using app = await startCheckedApp({ url: running.url, apiKey: account.apiKey })
  await using impatient = await startReceiver(async (_received, response) => {
    const faults = await account.faults.list()
    if (faults.length === 0) await app.makeOrder()
    response.writeHead(faults.length === 0 ? 201 : 502).end('Try again later')
  })
  const report = await sandbox.check(app.receiver, {
    only: ['webhook-before-order', 'json'],
    orderUrl: impatient.url,
    stateUrl: app.stateUrl,
  })
  expect(report.results.map((result) => [result.name, result.outcome, whySkipped(result)])).toEqual([
    ['json', 'passed', '200'],
    [
      'webhook-before-order',
      'skipped',
      `the app created no order while the service delayed its answer by 1.5 s: ${impatient.url} answered 502 "Try again later"`,
    ],
  ])
  expect(await account.faults.list()).toEqual([])
})

test('a check with a count pointer says that it checked fulfillments, even if no case reads them', async () => {
  const account = await sandbox.createAccount()
  await using app = await startCheckedApp({ url: running.url, apiKey: account.apiKey })
  const { checked } = await sandbox.check(app.receiver, {
    only: ['note-empty'],
    orderUrl: app.orderUrl,
    stateUrl: app.stateUrl,
    countPointer: '/fulfilled',
  })
  expect(checked).toBe('fulfilments')
})

test.for([401, 403, 419])(
  'a receiver that answers every webhook with %i gets advice about logins and CSRF tokens',
  async (status) => {
    await using receiver = await startReceiver((_received, response) => response.writeHead(status).end())
    const report = await sandbox.check(receiver.url, { only: ['form-encoded-brackets', 'json'] })
    expect(report.advice).toContain(
      `The payment service cannot log in or send a CSRF token. Exempt the webhook route`,
    )
  },
)
