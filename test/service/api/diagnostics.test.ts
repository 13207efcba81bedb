import type { ServerResponse } from 'node:http'
import { expect } from 'vitest'
import type { DiagnosticCode } from '../../../server/domain/diagnostics/diagnostic.ts'
import { startReceiver } from '../../support/receiver.ts'
import {
  courier,
  market,
  openSandbox,
  production,
  recipients,
  shop,
  type OpenSandbox,
} from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

interface Found {
  readonly code: DiagnosticCode
  readonly severity: string
  readonly seen: string
  readonly eventSeq: number
  readonly accountId: string | null
}

const diagnosticsOf = async (sandbox: OpenSandbox, query = ''): Promise<readonly Found[]> =>
  (await sandbox.rawControl<{ diagnostics: Found[] }>('GET', `/diagnostics${query}`)).answer.diagnostics

const json = { 'content-type': 'application/json' }
const split = { amount: 10, recipients }

/** A diagnostic, the value that it reports, and the call that causes it. */
test.for<[code: DiagnosticCode, seen: string, call: (sandbox: OpenSandbox) => Promise<unknown>]>([
  [
    'keyInAuthorization',
    'the header Authorization and no token',
    ({ url }) =>
      fetch(`${url}/api/v2/createSplitLink`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${shop.apiKey}` },
        body: JSON.stringify(split),
      }),
  ],
  [
    'keyInOtherHeader',
    'the header X-Shop and no token',
    ({ url }) =>
      fetch(`${url}/api/v2/createLink`, {
        method: 'POST',
        headers: { ...json, 'X-Shop': shop.apiKey },
        body: '{"amount":1}',
      }),
  ],
  ...['x-api-key', 'api-key', 'apikey', 'X-Auth-Token'].map(
    (name): [DiagnosticCode, string, (sandbox: OpenSandbox) => Promise<unknown>] => [
      'keyInOtherHeader',
      `the header ${name} and no token`,
      ({ url }) =>
        fetch(`${url}/api/v2/createLink`, {
          method: 'POST',
          headers: { ...json, [name]: 'anything' },
          body: '{"amount":1}',
        }),
    ],
  ),
  [
    'unknownKey',
    'the key aKe…01',
    ({ call }) => call('createSplitLink', split, { token: 'aKeyThatNoAccountHas00001' }),
  ],
  [
    'keyOfOtherEnvironment',
    'the key of a production account',
    ({ call }) => call('createSplitLink', split, { token: production.apiKey }),
  ],
  [
    'recipientTokenAsKey',
    'a recipient token in the header token',
    ({ call }) => call('createSplitLink', split, { token: courier.recipientToken }),
  ],
  ['notJson', 'text/plain', ({ call }) => call('createSplitLink', split, { 'content-type': 'text/plain' })],
  ['notJson', 'The request body should be a JSON object', ({ call }) => call('createSplitLink', '[]')],
  ['notJson', 'The request body is not valid JSON: it is empty', ({ call }) => call('createSplitLink', '')],
  [
    'wrongOperation',
    'createSplitlink; the nearest is createSplitLink',
    ({ call }) => call('createSplitlink', split),
  ],
  [
    'wrongOperation',
    'POST /v2/createLink; the nearest is POST /api/v2/createLink',
    ({ url }) => fetch(`${url}/v2/createLink`, { method: 'POST', headers: json, body: '{}' }),
  ],
  ['wrongMethod', 'GET', ({ url }) => fetch(`${url}/api/v2/createLink`, { headers: { token: shop.apiKey } })],
  [
    'unknownField',
    'callback; the nearest is callback_url',
    ({ call }) => call('createSplitLink', { ...split, callback: 'http://localhost/' }),
  ],
  [
    'unknownField',
    'recipients[1].shares; the nearest is share',
    ({ call }) =>
      call('createSplitLink', { amount: 10, recipients: [recipients[0], { ...recipients[0], shares: 30 }] }),
  ],
  [
    'numberAsText',
    'recipients[0].share: "30"',
    ({ call }) =>
      call('createSplitLink', { amount: 10, recipients: [{ token: courier.recipientToken, share: '30' }] }),
  ],
  [
    'booleanAsText',
    'cancellable: "true"',
    ({ call }) => call('createSplitLink', { ...split, cancellable: 'true' }),
  ],
  [
    'floatCents',
    'amount: 30.299999999999997',
    ({ call }) => call('createSplitLink', { ...split, amount: 10.1 * 3 - 1e-15 }),
  ],
  [
    'floatCents',
    'recipients[0].share: 1.005',
    ({ call }) =>
      call('createSplitLink', {
        amount: 10,
        split_type: 'absolute',
        recipients: [{ token: courier.recipientToken, share: 1.005 }],
      }),
  ],
  [
    'textAsNumber',
    'pay_ids: 1001',
    ({ call }) => call('sendWebhookViaPayId', { pay_ids: 1001, status: 'Success' }),
  ],
  ['textAsNumber', 'callback_url: 0', ({ call }) => call('createSplitLink', { ...split, callback_url: 0 })],
  [
    'keyAsRecipient',
    'recipients[1].token is an API key',
    ({ call }) =>
      call('createSplitLink', {
        amount: 10,
        recipients: [...recipients, { token: market.apiKey, share: 1 }],
      }),
  ],
  [
    'noWebhookTarget',
    'no payment_endpoint, neither in the request nor in the account',
    async ({ control, call }) => {
      await control('PATCH', `/accounts/${market.id}`, { paymentEndpoint: '' })
      return call('createLink', { amount: 10 }, { token: market.apiKey })
    },
  ],
  [
    'indexOutOfRange',
    "payment_endpoint index 7 is out of range, the account's list has 0 entries",
    ({ call }) => call('createLink', { amount: 10, payment_endpoint: '7' }, { token: market.apiKey }),
  ],
  [
    'severalCallbackUrls',
    '2 entries in callback_url',
    ({ call }) => call('createLink', { amount: 10, callback_url: 'http://localhost/a,http://localhost/b' }),
  ],
  [
    'linkIdAsPayId',
    '1001 is the id of a link',
    async ({ control, call }) => {
      await control('PATCH', '/behaviors', { payId: 'distinct' })
      await call('createSplitLink', split)
      await control('POST', '/links/1001/pay')
      return call('refundPayment', { pay_id: 1001, refund_amount: 1 })
    },
  ],
  [
    'payIdEqualsId',
    '1001 is both',
    async ({ control, call }) => {
      await call('createSplitLink', split)
      await control('POST', '/links/1001/pay')
      return call('refundPayment', { pay_id: 1001, refund_amount: 1 })
    },
  ],
  [
    'payIdEqualsId',
    '1001 is both',
    async ({ call }) => {
      await call('createSplitLink', split)
      return call('sendWebhookViaPayId', { pay_ids: 1001, status: 'Success' })
    },
  ],
  [
    'fullRefundAmount',
    '9.5 of 10',
    async ({ control, call }) => {
      await call('createSplitLink', split)
      await control('POST', '/links/1001/pay')
      return call('refundPayment', { pay_id: 1001, refund_amount: 9.5, isFullRefund: true })
    },
  ],
  [
    'refundBeforePayment',
    'the link is unused',
    async ({ call }) => {
      await call('createSplitLink', split)
      return call('refundPayment', { pay_id: 1001, refund_amount: 1 })
    },
  ],
  [
    'sameLinkTwice',
    'link 1001 has the same fields',
    async ({ call }) => {
      await call('createSplitLink', split)
      return call('createSplitLink', split)
    },
  ],
  [
    'formBody',
    'application/x-www-form-urlencoded',
    async ({ control, call }) => {
      await control('PATCH', '/behaviors', { requestBody: 'json-or-form' })
      return call('createLink', 'amount=10', { 'content-type': 'application/x-www-form-urlencoded' })
    },
  ],
])('the diagnostic %s is reported for a call: %s', async ([code, seen, call], { sandbox }) => {
  await call(sandbox)

  const found = (await diagnosticsOf(sandbox)).filter((one) => one.code === code)
  expect(found).toMatchObject([{ code, seen }])
  const { answer: about } = await sandbox.control('GET', `/events/${found[0]!.eventSeq}`)
  expect(about).toMatchObject({ type: 'api.request', accountId: found[0]!.accountId })
  const header = about.exchange!.response!.headers.find(([name]) => name === 'sandbox-diagnostics')
  expect(header?.[1].split(', ')).toContain(code)
})

test.for<[code: DiagnosticCode, seen: string, answer: (response: ServerResponse) => void]>([
  ['receiverRefused', '503 "busy"', (response) => response.writeHead(503).end('busy')],
  [
    'receiverRedirected',
    '302 to /login',
    (response) => response.writeHead(302, { location: '/login' }).end(),
  ],
  [
    'receiverShowedPage',
    '200 "<form>Log in</form>" (text/html)',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<form>Log in</form>'),
  ],
  [
    'receiverWantsJson',
    '400 "Unexpected token R in JSON"',
    (response) => response.writeHead(400).end('Unexpected token R in JSON'),
  ],
])('the diagnostic %s is reported for a receiver: %s', async ([code, seen, answer], { sandbox }) => {
  await using receiver = await startReceiver((_received, response) => answer(response))
  await sandbox.createLink({ payment_endpoint: receiver.url })

  await sandbox.control('POST', '/links/1001/pay')

  expect(await diagnosticsOf(sandbox)).toMatchObject([
    { code, seen: `${seen}, from ${receiver.url}`, linkId: 1001, accountId: shop.id },
  ])
})

test.for<[what: string, answer: (response: ServerResponse) => void, facts: object]>([
  [
    'a body with quotes and backslashes',
    (response) => response.writeHead(500).end('No "order"\n in C:\\orders\\7'),
    { responseText: String.raw`No "order" in C:\orders\7` },
  ],
  [
    'an address with a comma and a blank',
    (response) => response.writeHead(302, { location: '/a, from b/login' }).end('moved'),
    { redirectedTo: '/a, from b/login' },
  ],
  ['a body of blanks', (response) => response.writeHead(500).end(' \n '), {}],
  ['a success', (response) => response.writeHead(200).end('ok'), {}],
])('the event of an attempt keeps %s of the answer unchanged', async ([, answer, facts], { sandbox }) => {
  await using receiver = await startReceiver((_received, response) => answer(response))
  await sandbox.createLink({ payment_endpoint: receiver.url })

  await sandbox.control('POST', '/links/1001/pay')

  const { answer: listed } = await sandbox.control('GET', '/events?type=delivery.attempted')
  const [{ responseText, redirectedTo } = {}] = listed.events
  expect({ responseText, redirectedTo }).toEqual(facts)
})

test('receiverGone is reported if no server listens at the target', async ({ sandbox }) => {
  const gone = await startReceiver()
  await gone[Symbol.asyncDispose]()
  await sandbox.createLink({ payment_endpoint: gone.url })

  await sandbox.control('POST', '/links/1001/pay')

  expect(await diagnosticsOf(sandbox)).toMatchObject([
    { code: 'receiverGone', seen: expect.stringContaining('connection refused') },
  ])
})

test("containerLocalhost is reported if no server listens inside the sandbox's container", async () => {
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  await using sandbox = await openSandbox({ isInContainer: true, lookup })
  const gone = await startReceiver()
  await gone[Symbol.asyncDispose]()
  await sandbox.createLink({ payment_endpoint: gone.url })

  await sandbox.control('POST', '/links/1001/pay')

  expect(await diagnosticsOf(sandbox)).toMatchObject([
    { code: 'containerLocalhost', seen: expect.stringContaining(`, from ${gone.url}`) },
  ])
})

test.for(['[]', 'null', '"amount"'])(
  'notJson explains that a body of %s is not an object',
  async (body, { sandbox }) => {
    await sandbox.call('createLink', body)
    expect(await diagnosticsOf(sandbox)).toMatchObject([
      {
        code: 'notJson',
        title: 'The body is JSON, but not an object',
        fix: expect.stringMatching(/\{\}.*json_encode\(\[\]\) writes \[\]/),
      },
    ])
  },
)

test('notJson explains why a body cannot be parsed', async ({ sandbox }) => {
  await sandbox.call('createLink', '{"amount":')
  expect(await diagnosticsOf(sandbox)).toMatchObject([
    {
      code: 'notJson',
      seen: expect.stringContaining('not valid JSON: Unexpected end'),
      title: 'The body cannot be read as JSON',
      fix: expect.stringContaining('The Content-Type is right'),
    },
  ])
})

test.for([
  [{ numericStrings: 'refuse' }, { amount: '10' }, 'numberAsText', 'error'],
  [{ numericStrings: 'accept' }, { amount: '10' }, 'numberAsText', 'warning'],
  [{ numericStrings: 'accept' }, { amount: ' 10' }, 'numberAsText', 'error'],
  [{ numericStrings: 'any-spelling' }, { amount: ' 10' }, 'numberAsText', 'warning'],
  [{ numericStrings: 'any-spelling' }, { amount: '10,5' }, 'numberAsText', 'error'],
  [{ booleanAsText: 'refuse' }, { amount: 10, cancellable: 'true' }, 'booleanAsText', 'error'],
  [{ booleanAsText: 'refuse' }, { amount: 10, cancellable: 0 }, 'booleanAsText', 'error'],
  [{ booleanAsText: 'accept' }, { amount: 10, cancellable: 'true' }, 'booleanAsText', 'warning'],
  [{ booleanAsText: 'accept' }, { amount: 10, cancellable: 'TRUE' }, 'booleanAsText', 'error'],
  [{ textAsNumber: 'refuse' }, { amount: 10, recipient_note: 7 }, 'textAsNumber', 'error'],
  [{ textAsNumber: 'accept' }, { amount: 10, recipient_note: 7 }, 'textAsNumber', 'warning'],
  [{ amountDecimals: 'refuse' }, { amount: 1.005 }, 'floatCents', 'error'],
  [{ amountDecimals: 'round' }, { amount: 1.005 }, 'floatCents', 'warning'],
] as const)(
  '%j: a value of the wrong type in %j is reported as %s, an error or a warning',
  async ([choices, body, code, severity], { sandbox }) => {
    await sandbox.control('PATCH', '/behaviors', choices)
    const { envelope } = await sandbox.call('createLink', body)
    expect(envelope.ResponseCode).toBe(severity === 'error' ? 0 : 1)
    const found = (await diagnosticsOf(sandbox)).filter((one) => one.code === code)
    expect(found).toMatchObject([{ severity }])
  },
)

test('a correct call and a correct receiver have no diagnostics', async ({ receiver, sandbox }) => {
  await sandbox.createLink({ payment_endpoint: receiver.url, callback_url: 'http://localhost:3000/thanks' })
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.call('getTaxInvoiceList', { page: 1 })
  await sandbox.call('createLink', { amount: 1, bank_transfer: true })
  await sandbox.call('createSplitLink', { amount: 1, recipients: [{ ...recipients[0], share: 33.333 }] })

  expect(await diagnosticsOf(sandbox)).toEqual([])
})

test('sameLinkTwice is not reported while the clock is stopped', async ({ sandbox }) => {
  await sandbox.control('PUT', '/clock', { mode: 'frozen' })
  await sandbox.createLink()
  await sandbox.createLink()

  expect(await diagnosticsOf(sandbox)).toEqual([])
})

test('diagnostics are listed by account and by severity, in pages', async ({ sandbox }) => {
  await sandbox.call('createLink', { amout: 1 })
  await sandbox.call('createLink', { amount: 1.005 }, { token: market.apiKey })

  const all = await diagnosticsOf(sandbox)
  expect(all.map(({ code }) => code)).toEqual(['unknownField', 'floatCents'])
  expect(await diagnosticsOf(sandbox, `?account=${market.id}`)).toEqual([all[1]])
  expect(await diagnosticsOf(sandbox, '?severity=error')).toEqual([all[1]])
  expect(await diagnosticsOf(sandbox, `?after=${all[0]!.eventSeq + 1}`)).toEqual([all[1]])
  expect((await sandbox.control('GET', '/diagnostics?severity=bad')).status).toBe(400)
})

test('an unknown path unlike any operation returns 404 and is not recorded', async ({ sandbox }) => {
  const response = await fetch(`${sandbox.url}/favicon.png`)

  expect(response.status).toBe(404)
  expect(await sandbox.control('GET', '/events?type=api.request')).toMatchObject({ answer: { events: [] } })
})
