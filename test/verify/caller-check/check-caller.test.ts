import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { callerCases } from '../../../server/verify/caller-check/cases.ts'
import type { CallerCheckOptions, CallerCheckReport } from '../../../server/contract/checks/caller-check.ts'
import { connectSandbox } from '../../../server/client/connect-sandbox.ts'
import type { CallerRunOptions } from '../../../server/verify/caller-check/caller-run-options.ts'
import { startCaller } from '../../support/caller.ts'
import { openSandbox, type OpenSandbox } from '../../support/sandbox.ts'
import { startReceiver } from '../../support/receiver.ts'
import { sized } from '../../support/size.ts'
import { test } from '../../support/test.ts'

let running: OpenSandbox
let sandbox: Awaited<ReturnType<typeof connectSandbox>>

beforeAll(async () => {
  running = await openSandbox()
  sandbox = await connectSandbox(running.url)
})
afterAll(() => running.close())

type CaseName = (typeof callerCases)[number]['name']

const names: readonly CaseName[] = callerCases.map(({ name }) => name)

/** Checks an example app that has its own account. */
async function checkCaller(example: string, options: CallerCheckOptions = {}) {
  const { apiKey } = await sandbox.createAccount()
  await using caller = await startCaller(example, { url: running.url, apiKey })
  const report = await sandbox.checkCaller(caller.orderUrl, {
    stateUrl: caller.stateUrl,
    countPointer: '/fulfilled',
    paidText: 'Your order is paid',
    ...options,
  })
  return report
}

describe('example apps', () => {
  // These run at the same time, because each has its own account, and waits for late answers most of the time.
  test.concurrent('a correct app passes every case', async () => {
    const { results, ...report } = await checkCaller('caller')

    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
    expect(results.map(({ name }) => name)).toEqual(names)
    expect(report).toMatchObject({ passed: names.length, failed: 0, skipped: 0, problems: [] })
  })

  /** In this case the service is 30 s late, and the check waits for an app that waits without a limit. */
  const IMPATIENT = { timeoutMs: 2_000 }

  test.concurrent.each<[example: string, problems: Record<string, CaseName[]>]>([
    ['repeats-lost-calls', { 'second-link': ['answer-lost', 'late'] }],
    ['takes-http-200-for-success', { 'hidden-failure': ['refused', 'refused-as-text'] }],
    ['takes-any-code-for-success', { 'hidden-failure': ['refused-as-text'] }],
    ['repeats-calls-at-once', { 'no-backoff': ['server-error-long', 'too-many-calls', 'retry-after'] }],
    ['waits-without-end', { 'no-answer': ['late'] }],
    ['creates-a-link-for-each-click', { 'second-link': ['double-click', 'second-tab', 'second-browser'] }],
    ['cuts-cents', { 'wrong-amount': ['amount-cents', 'amount-large'] }],
    ['shows-its-settings', { 'leaked-key': ['api-key'] }],
    [
      'trusts-the-redirect',
      { 'paid-without-payment': ['return-forged'], 'false-message': ['return-cancelled'] },
    ],
    ['shows-notes-as-markup', { 'unescaped-note': ['note-markup'] }],
  ])('the example app %s fails exactly the cases that its mistake breaks', async (example, problems) => {
    const failing = Object.values(problems).flat()
    const others: readonly CaseName[] = [
      'answer-lost',
      'web-page',
      'refused',
      'second-tab',
      'second-browser',
      'return-twice',
    ]
    const report = await checkCaller(example, {
      only: sized({ full: names, small: [...others, ...failing] }),
      ...(example === 'waits-without-end' ? IMPATIENT : {}),
    })
    const found = report.problems.map(({ problem, cases }) => [problem, cases])
    expect(Object.fromEntries(found)).toEqual(problems)
  })

  test.concurrent('the links of an order that the app should have refunded are named', async () => {
    const { results } = await checkCaller('creates-a-link-for-each-click', {
      only: ['double-click'],
      ...IMPATIENT,
    })
    expect(results.at(-1)!.seen).toMatch(
      /^the app created 3 links for one order: (\d+), (\d+) and \d+\. \1 and \2 were paid, and the app refunded neither$/,
    )
  })

  test.concurrent('both checks fill amounts and notes of orders into the same placeholders', async () => {
    const { apiKey } = await sandbox.createAccount()
    await using caller = await startCaller('caller', { url: running.url, apiKey })
    const report = await sandbox.check(caller.receiver, {
      orderUrl: caller.orderUrl,
      orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
      stateUrl: caller.stateUrl,
      countPointer: '/fulfilled',
      timeoutMs: 60_000,
    })
    expect(report.results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    // This app gives each order one link, makes no refunds, and does not show a cancel.
    const skipped = report.results.filter(({ outcome }) => outcome === 'skipped')
    expect(new Set(skipped.map(({ group }) => group))).toEqual(
      new Set(['sequence', 'two links', 'refund', 'forgery']),
    )
  })
})

/** An app that creates a link for every POST, and answers as the given function says. */
async function startApp(
  answer: (link: string | undefined, apiKey: string, response: ServerResponse) => void,
  fields: (body: string) => Record<string, unknown> = () => ({ amount: 12.5 }),
) {
  const account = await sandbox.createAccount()
  return startReceiver(async ({ body }, response) => {
    const created = await account.callUnchecked('createLink', fields(body)).catch(() => undefined)
    const data = created?.ResponseCode === 1 ? (created.data as { pay_link: string }) : undefined
    answer(data?.pay_link, account.apiKey, response)
  })
}

const outcomesOf = ({ results }: CallerCheckReport) =>
  Object.fromEntries(results.map(({ name, outcome, seen }) => [name, `${outcome}: ${seen}`]))

test('a case is skipped if it needs a value or a state that the app does not offer', async () => {
  await using app = await startApp((link, _apiKey, response) =>
    response.writeHead(link === undefined ? 502 : 200).end(JSON.stringify({ link }).replaceAll('/', '\\/')),
  )
  const report = await sandbox.checkCaller(app.url, { orderBody: 'item=Roses', skip: ['late', 'api-key'] })

  const outcomes = outcomesOf(report)
  expect(report.results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  expect(report.checked).toBe('answers')
  expect(outcomes).toMatchObject({
    'normal-order': 'passed: no problem',
    refused: 'passed: no problem',
    'double-click': 'skipped: neither --order-url nor --order-body contains {order}',
    'amount-cents': 'skipped: neither --order-url nor --order-body contains {amount}',
    'return-twice': 'skipped: the state of orders is not known: pass --state-url',
    'return-forged': 'skipped: what the customer is told is not known: pass --state-url or --paid-text',
  })
  expect(new Set(app.received.map(({ body }) => body))).toEqual(new Set(['item=Roses']))
})

test('an app that pauses its calls after failures is asked again after the pause', async () => {
  const account = await sandbox.createAccount()
  let pauses = 0
  await using app = await startReceiver(async (_received, response) => {
    if (pauses > 0) {
      pauses -= 1
      return response.writeHead(502).end('Sorry')
    }
    const created = await account.callUnchecked('createLink', { amount: 12.5 }).catch(() => undefined)
    const data = created?.ResponseCode === 1 ? (created.data as { pay_link: string }) : undefined
    if (data === undefined) pauses = 2
    return data === undefined
      ? response.writeHead(502).end('Sorry')
      : response.writeHead(303, { location: data.pay_link }).end()
  })
  const only = ['refused-as-text', 'refused', 'created-as-text'] as const
  const report = await sandbox.checkCaller(app.url, { only, orderBody: 'item=Roses' })

  expect(outcomesOf(report)).toEqual(Object.fromEntries(only.map((name) => [name, 'passed: no problem'])))
})

test('orders with and without a return page can be mixed', async () => {
  let orders = 0
  await using app = await startApp(
    (link, _apiKey, response) => response.writeHead(303, { location: link }).end(),
    () => {
      orders += 1
      return { amount: 12.5, ...(orders % 2 === 0 ? {} : { callback_url: 'http://127.0.0.1:9/orders' }) }
    },
  )

  expect(outcomesOf(await sandbox.checkCaller(app.url, { only: ['order-of-another'] }))).toEqual({
    'order-of-another': 'skipped: the link of the order has no callback_url',
  })
})

test('the placeholders of URL and body are encoded for the place where they stand', async () => {
  await using app = await startApp(
    (link, _apiKey, response) =>
      response.writeHead(link === undefined ? 400 : 303, link === undefined ? {} : { location: link }).end(),
    (body) => ({
      amount: Number(new URLSearchParams(body).get('total')),
      recipient_note: new URLSearchParams(body).get('text'),
    }),
  )
  const report = await sandbox.checkCaller(`${app.url}/{order}/pay`, {
    orderBody: 'total={amount}&text={note}',
    only: ['amount-cents', 'note-markup', 'note-emoji'],
  })

  expect(report.results.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'passed'])
  expect(app.received[0]!.path).toMatch(/\/check-\w{8}\/pay$/)
})

test('a page with HTTP 200 or 500 says that the payment could not be started if it has the failure text', async () => {
  let status = 200
  await using app = await startApp((link, _apiKey, response) =>
    link === undefined
      ? response.writeHead(status).end('<p>Sorry, try again later</p>')
      : response.writeHead(303, { location: link }).end(),
  )
  const only = ['refused'] as const
  const without = await sandbox.checkCaller(app.url, { only })
  expect(outcomesOf(without)).toEqual({
    refused:
      'failed: the app answered 200 "Sorry, try again later", without a pay link. If the page tells the customer that the payment could not be started, name its words with --failure-text',
  })
  status = 500
  expect(outcomesOf(await sandbox.checkCaller(app.url, { only }))).toEqual({
    refused: expect.stringMatching(/500 "Sorry, try again later"$/),
  })
  for (status of [200, 500]) {
    expect(await sandbox.checkCaller(app.url, { only, failureText: 'Sorry' })).toMatchObject({ passed: 1 })
  }
})

test('a page after a redirect may report the failure by its status or its text, but must be reachable', async () => {
  let location = '/failed'
  let status = 502
  const account = await sandbox.createAccount()
  await using app = await startReceiver(async (_received, response, { method }) => {
    if (method === 'GET') return response.writeHead(status).end('<p>Payment could not be started</p>')
    const created = await account.callUnchecked('createLink', { amount: 12.5 }).catch(() => undefined)
    const data = created?.ResponseCode === 1 ? (created.data as { pay_link: string }) : undefined
    return response.writeHead(303, { location: data?.pay_link ?? location }).end()
  })
  const check = async (options = {}) =>
    outcomesOf(await sandbox.checkCaller(app.url, { only: ['refused'], ...options }))
  const then = (answer: number) =>
    `failed: the app answered 303 to /failed, and then ${answer} at ${new URL('/failed', app.url).href} "Payment could not be started", without a pay link`

  expect(await check()).toEqual({ refused: 'passed: no problem' })
  status = 200
  expect(await check()).toEqual({
    refused: `${then(200)}. If the page tells the customer that the payment could not be started, name its words with --failure-text`,
  })
  expect(await check({ failureText: 'could not be started' })).toEqual({ refused: 'passed: no problem' })
  expect(await check({ failureText: 'Sorry' })).toEqual({ refused: then(200) })
  status = 404
  expect(await check()).toEqual({ refused: then(404) })

  location = ''
  expect(await check()).toEqual({
    refused: expect.stringMatching(/^failed: the app answered 303 with an empty Location, and then \d+ at /),
  })
})

test('while a normal order fails, no other case runs', async () => {
  await using app = await startApp((_link, _apiKey, response) => response.end('<h1>Thank you</h1>'))
  const seen = 'the app answered 200 "Thank you", without a pay link'

  const report = await sandbox.checkCaller(app.url, { only: ['normal-order', 'refused'] })
  expect(outcomesOf(report)).toEqual({
    'normal-order': `failed: ${seen}`,
    refused: 'skipped: your app does not handle a normal order: mend normal-order first',
  })
  await expect(sandbox.checkCaller(app.url, { only: ['refused'] })).rejects.toThrow(
    `Nothing was checked, because a normal order fails: ${seen}.`,
  )
})

test('a customer must not get the pay link of another order', async () => {
  const links: string[] = []
  await using app = await startApp((link, _apiKey, response) => {
    if (link !== undefined) links.push(link)
    response.writeHead(303, { location: links[0] }).end()
  })
  const report = await sandbox.checkCaller(app.url, { only: ['normal-order', 'refused'] })
  expect(outcomesOf(report)).toEqual({
    'normal-order': 'passed: no problem',
    refused: `failed: the pay link ${links[0]} does not belong to the order`,
  })
})

test('a redirect with the API key is found, and the report does not repeat the key', async () => {
  let key = ''
  await using app = await startApp((link, apiKey, response) => {
    key = apiKey
    response.writeHead(303, { location: link ?? `https://shop.example.com/failed?key=${apiKey}` }).end()
  })
  const report = await sandbox.checkCaller(app.url, { only: ['refused', 'api-key'] })

  expect(outcomesOf(report)).toEqual({
    refused:
      'failed: the app answered 303 to https://shop.example.com/failed?key=<API key>, without a pay link',
    'api-key': 'failed: a redirect contains the API key',
  })
  expect(JSON.stringify(report)).not.toContain(key)
})

test.for([
  [' as base64', (key: string) => btoa(`token:${key}:end`)],
  ['', (key: string) => key.replaceAll(/./g, (letter) => `&#${letter.charCodeAt(0)};`)],
  ['', (key: string) => key.toUpperCase()],
  [' as hexadecimal digits', (key: string) => Buffer.from(key).toString('hex')],
] as const)('the API key is found in a page%s: %s', async ([encoding, encode]) => {
  await using app = await startApp((link, apiKey, response) =>
    response.writeHead(200).end(`<a href="${link}">${encode(apiKey)}</a>`),
  )

  const report = await sandbox.checkCaller(app.url, { only: ['normal-order', 'api-key'] })

  expect(outcomesOf(report)).toEqual({
    'normal-order': 'passed: no problem',
    'api-key': expect.stringMatching(
      new RegExp(`^failed: the answer of POST \\S+ contains the API key${encoding}$`),
    ),
  })
})

test.for([
  [/^failed: a cookie contains/, 'set-cookie', (key: string) => `shop=${key}`],
  [
    /^failed: the header x-debug of the answer of POST \S+ contains/,
    'x-debug',
    (key: string) => `token ${key.toLowerCase()}`,
  ],
] as const)('the API key is found in a header or a cookie: %s', async ([seen, name, valueOf]) => {
  await using app = await startApp((link, apiKey, response) =>
    response.writeHead(303, { location: link ?? '/', [name]: valueOf(apiKey) }).end(),
  )

  const report = await sandbox.checkCaller(app.url, { only: ['normal-order', 'api-key'] })

  expect(outcomesOf(report)['api-key']).toMatch(seen)
})

test('pages that the egress policy forbids are not opened', async () => {
  await using app = await startApp(
    (link, _apiKey, response) => response.writeHead(303, { location: link }).end(),
    () => ({ amount: 12.5, callback_url: 'https://shop.example.com/thanks' }),
  )
  const report = await sandbox.checkCaller(app.url, {
    only: ['return-forged', 'note-markup'],
    paidText: 'paid',
  })
  expect(outcomesOf(report)).toEqual({
    'note-markup': 'skipped: the app does not give its links the notes of its orders',
    'return-forged': expect.stringMatching(
      /^skipped: no customer can return: https:\/\/shop\.example\.com\/thanks cannot be opened: /,
    ),
  })
})

test('the faults of a check are removed, even if it is interrupted', async () => {
  const control = new AbortController()
  await using app = await startApp((link, _apiKey, response) => {
    if (link === undefined) control.abort()
    response.writeHead(link === undefined ? 502 : 303, { location: link ?? '' }).end()
  })
  const options: CallerRunOptions = { only: ['too-many-calls', 'refused'], signal: control.signal }
  await expect(sandbox.checkCaller(app.url, options)).rejects.toThrow()
  expect(await sandbox.faults.list()).toEqual([])
})

test('the case with Retry-After is skipped while the clock is frozen', async () => {
  await using frozen = await openSandbox()
  const handle = await connectSandbox(frozen.url)
  await handle.clock.freeze()
  const { apiKey } = await handle.createAccount()
  await using caller = await startCaller('caller', { url: frozen.url, apiKey })
  const report = await handle.checkCaller(caller.orderUrl, { only: ['retry-after'] })
  expect(outcomesOf(report)['retry-after']).toMatch(/^skipped: the clock of the sandbox is frozen/)
})

test.for<[as: string, write: (link: string) => string]>([
  ['HTML with escaped slashes', (link) => link.replaceAll('/', '&#x2F;').replaceAll('=', '&#x3D;')],
  ['JSON with escaped slashes', (link) => JSON.stringify({ link }).replaceAll('/', '\\/')],
  ['JSON with escaped signs', (link) => JSON.stringify({ link }).replaceAll('=', '\\u003d')],
])('a pay link in %s is found', async ([_as, write]) => {
  await using app = await startApp((link, _apiKey, response) =>
    response.writeHead(link === undefined ? 502 : 200).end(write(link ?? '')),
  )
  const report = await sandbox.checkCaller(app.url, { only: ['normal-order'] })
  expect(outcomesOf(report)).toEqual({ 'normal-order': 'passed: no problem' })
})

test.for<[as: string, page: string]>([
  ['HTML', '<p>The payment couldn&#39;t\n  be \u201cstarted\u201d</p>'],
  ['JSON', String.raw`{"error":"The payment couldn\u0027t be \u201cstarted\u201d"}`],
])('texts of %s pages are compared as people read them', async ([_as, page]) => {
  await using app = await startApp((link, _apiKey, response) =>
    link === undefined ? response.end(page) : response.writeHead(303, { location: link }).end(),
  )
  const report = await sandbox.checkCaller(app.url, {
    only: ['refused'],
    failureText: "The payment couldn't be \u201cstarted\u201d",
  })
  expect(outcomesOf(report)).toEqual({ refused: 'passed: no problem' })
})

test('a page after a redirect gets the cookies, even if the app redirects from 127.0.0.1 to localhost', async () => {
  const account = await sandbox.createAccount()
  await using app = await startReceiver(async (_received, response, { method, headers }) => {
    if (method === 'GET') {
      response.end(headers.cookie === 'theme=dark; message=failed' ? '<p>Try again later</p>' : '<p>Shop</p>')
      return
    }
    const created = await account.callUnchecked('createLink', { amount: 12.5 })
    const isCreated = created.ResponseCode === 1
    const { pay_link = '' } = (created.data ?? {}) as { pay_link?: string }
    const failed = app.url.replace('127.0.0.1', 'localhost')
    const cookies = isCreated ? [] : ['theme=dark; Path=/', 'message=failed; HttpOnly']
    response.writeHead(303, { location: isCreated ? pay_link : failed, 'set-cookie': cookies }).end()
  })
  const report = await sandbox.checkCaller(app.url, { only: ['refused'], failureText: 'Try again later' })
  expect(outcomesOf(report)).toEqual({ refused: 'passed: no problem' })
})

/** Starts an app that thanks customers who return, and records their cookies. */
const startReturnApp = (
  returned: (string | undefined)[],
  order: (response: ServerResponse, request: IncomingMessage) => void,
) =>
  startReceiver((_received, response, request) => {
    if (request.method !== 'GET') {
      order(response, request)
      return
    }
    returned.push(request.headers.cookie)
    response.end('<p>Thank you</p>')
  })

test('a customer returns with the cookies of the order, without those that have expired', async () => {
  const account = await sandbox.createAccount()
  const returned: (string | undefined)[] = []
  await using app = await startReturnApp(returned, async (response, { headers }) => {
    const isConfirmed = headers.cookie !== undefined
    const link = isConfirmed ? await account.createLink({ amount: 12.5, callbackUrl: app.url }) : undefined
    const cookies = isConfirmed
      ? [
          'cart=; Max-Age=0; Path=/',
          'step=2; expires=Thu, 01 Jan 1970 00:00:00 GMT',
          'theme=dark; Max-Age=60',
        ]
      : ['session=a; Path=/; HttpOnly', 'cart=full', 'step=1', 'theme=light']
    response.writeHead(isConfirmed ? 303 : 307, {
      location: link?.payLink ?? app.url,
      'set-cookie': cookies,
    })
    response.end()
  })
  const report = await sandbox.checkCaller(app.url, { only: ['return-forged'], paidText: 'is paid' })
  expect(outcomesOf(report)).toEqual({ 'return-forged': 'passed: no problem' })
  expect(returned).toEqual(['session=a; theme=dark'])
})

test('a second tab has the cookies of the first tab, and another order starts without cookies', async () => {
  const account = await sandbox.createAccount()
  const cookies: (string | undefined)[] = []
  await using app = await startReceiver(async (_received, response, { headers }) => {
    cookies.push(headers.cookie)
    const { payLink: location } = await account.createLink({ amount: 12.5 })
    response.writeHead(303, { location, 'set-cookie': 'session=a' }).end()
  })
  await sandbox.checkCaller(app.url, { only: ['second-tab'], orderBody: '{order}' })
  expect(cookies).toEqual([undefined, undefined, 'session=a'])
})

test('another host does not get the cookies of the app', async () => {
  const account = await sandbox.createAccount()
  const returned: (string | undefined)[] = []
  await using app = await startReturnApp(returned, async (response) => {
    const callbackUrl = app.url.replace('127.0.0.1', '[::ffff:127.0.0.1]')
    const { payLink: location } = await account.createLink({ amount: 12.5, callbackUrl })
    response.writeHead(303, { location, 'set-cookie': 'session=a' }).end()
  })
  const report = await sandbox.checkCaller(app.url, { only: ['return-forged'], paidText: 'is paid' })
  expect(outcomesOf(report)).toEqual({ 'return-forged': 'passed: no problem' })
  expect(returned).toEqual([undefined])
})

test.for<[status: number, expected: string[]]>([
  [302, ['POST item=Roses', 'GET ']],
  [307, ['POST item=Roses', 'POST item=Roses']],
  [308, ['POST item=Roses', 'POST item=Roses']],
])('a redirect with %i is followed as in a browser', async ([status, expected]) => {
  const account = await sandbox.createAccount()
  const requests: string[] = []
  await using app = await startReceiver(async ({ path, body }, response, { method }) => {
    requests.push(`${method} ${body}`)
    if (path === '/orders') {
      response.writeHead(status, { location: '/orders/' }).end()
      return
    }
    const { payLink: location } = await account.createLink({ amount: 12.5 })
    response.writeHead(303, { location }).end()
  })
  const report = await sandbox.checkCaller(`${app.origin}/orders`, {
    only: ['normal-order'],
    orderBody: 'item=Roses',
  })
  expect(outcomesOf(report)).toEqual({ 'normal-order': 'passed: no problem' })
  expect(requests).toEqual(expected)
})
