import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { openSandbox, recipients, shop, type OpenSandbox } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

/** Sends raw bytes, and returns everything received until the connection ends. */
async function sendRaw(sandbox: OpenSandbox, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes)
  return text(socket)
}

const createLink = (body: string, headers: readonly string[] = []): string =>
  [
    'POST /api/v2/createLink HTTP/1.1',
    'Host: localhost',
    `token: ${shop.apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...headers,
    '',
    body,
  ].join('\r\n')

test('a client that offers HTTP/2 is answered in HTTP/1.1', async ({ sandbox }) => {
  const offer = [
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
  ]
  const last = createLink('{"amount":2}', ['Connection: close'])

  const answers = await sendRaw(sandbox, createLink('{"amount":1}', offer) + last)
  expect(answers.match(/Link has been created successfully/g)).toHaveLength(2)
})

test.for(['1.2.3.4.5', 'xn--a', 'a'.repeat(4000)])(
  'a Host header of %s breaks no page and no answer',
  async (host, { sandbox }) => {
    await sandbox.createLink()
    for (const path of ['/api/v2/createLink', '/tunnel/x', '/payment?link_id=MTAwMQ', '/qr/MTAwMQ.png']) {
      const answer = await sendRaw(
        sandbox,
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      )
      expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 200 OK')
    }
    expect(sandbox.problems).toEqual([])
  },
)

test('an aborted upload is not reported as an error of the sandbox', async ({ sandbox }) => {
  for (const path of ['/api/v2/createLink', '/tunnel/x', '/payment?link_id=MTAwMQ', '/_sandbox/v1/reset']) {
    const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nbegin`)
    // This request is answered on another connection, so the one above has been read before.
    await fetch(`${sandbox.url}/_sandbox/health`)
    socket.destroy()
    await once(socket, 'close')
    await fetch(`${sandbox.url}/_sandbox/health`)
  }
  expect(sandbox.problems).toEqual([])
})

test('the rate limit counts simultaneous calls one by one', async () => {
  await using sandbox = await openSandbox({ behaviors: { rateLimit: '2/min' } })
  const refused = createLink('{"amount":0}')
  const answers = await sendRaw(
    sandbox,
    refused.repeat(10) + createLink('{"amount":0}', ['Connection: close']),
  )

  expect(answers.match(/amount should be greater than zero/g)).toHaveLength(2)
  expect(answers.match(/Too many requests/g)).toHaveLength(9)
})

test.for<[what: string, operation: string, body: object, message: string]>([
  [
    'pay_ids',
    'sendWebhookViaPayId',
    { pay_ids: '1,'.repeat(1001), status: 'Success' },
    'pay_ids should have at most 1000 entries',
  ],
  [
    'targets',
    'createLink',
    { amount: 1, payment_endpoint: '0,'.repeat(200_000) },
    'payment_endpoint should have at most 100 entries',
  ],
  [
    'recipients',
    'createSplitLink',
    { amount: 1, recipients: Array.from({ length: 1001 }, () => recipients[0]) },
    'recipients should have at most 1000 entries',
  ],
])('too many %s are refused', async ([_what, operation, body, message], { sandbox }) => {
  const { envelope } = await sandbox.call(operation, body)
  expect(envelope).toMatchObject({ ResponseCode: 0, ResponseMsg: message })
})

test.for<[field: string, operation: string, body: object]>([
  ['payment_endpoint', 'createLink', { amount: 1, payment_endpoint: `${'x'.repeat(199)}😀` }],
  ['pay_ids', 'sendWebhookViaPayId', { pay_ids: `${'x'.repeat(39)}😀`, status: 'Success' }],
])(
  'a shortened error that quotes %s is well-formed Unicode',
  async ([_field, operation, body], { sandbox }) => {
    const { envelope } = await sandbox.call(operation, body)
    expect(envelope.ResponseMsg.isWellFormed()).toBe(true)
    expect(envelope.ResponseMsg).toContain('\ufffd')
  },
)

test.for([',', ' ', ' , '])(
  "an empty payment_endpoint of %j falls back to the account's targets",
  async (given, { sandbox }) => {
    await sandbox.createLink({ payment_endpoint: given })
    const { answer } = await sandbox.control('POST', '/links/1001/pay')
    expect(answer.deliveries).toMatchObject([
      { target: `${sandbox.url}/tunnel/flower-shop`, state: 'delivered' },
    ])
  },
)
