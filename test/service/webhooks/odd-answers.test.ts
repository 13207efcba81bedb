import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect } from 'vitest'
import { createPost } from '../../../server/service/egress/post.ts'
import { openSandbox } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

/** A receiver that answers every request with these bytes, and then closes the connection or leaves it open. */
async function startAnswering(bytes: string, then: 'write' | 'end' = 'write') {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => socket[then](bytes))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async [Symbol.asyncDispose](): Promise<void> {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

const NOT_ENDED = 'its answer did not end within 1 s'

const FIELDS = Array.from({ length: 1500 }, (_, number) => `a${number}: b\r\n`).join('')

test.each<[what: string, bytes: string, told: { status: number | null; error: string | null }]>([
  [
    'switches to another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    { status: null, error: 'it answered 101, to switch to a protocol other than HTTP' },
  ],
  [
    'is not HTTP',
    'Hello\r\n\r\n',
    { status: null, error: expect.stringMatching(/^its answer is not valid HTTP: /) },
  ],
  [
    'has too many header fields',
    `HTTP/1.1 200 OK\r\n${'x: y'.repeat(5_000)}\r\n\r\n`,
    { status: null, error: 'the headers of its answer exceed 16 KiB' },
  ],
  ['has no length and does not end', 'HTTP/1.1 500 Broken\r\n\r\nso far', { status: 500, error: NOT_ENDED }],
  ['has status 204 and a body', 'HTTP/1.1 204 None\r\n\r\nsomething', { status: 204, error: null }],
  [
    'arrives late',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    { status: 200, error: null },
  ],
])('an answer that %s is recorded, and the queue continues', async (_what, bytes, told) => {
  await using receiver = await startAnswering(bytes)
  // The other tests do not wait for this timeout, however busy the machine is.
  const deliveryTimeoutMs = told.error === NOT_ENDED ? 1_000 : 60_000
  await using sandbox = await openSandbox({ deliveryTimeoutMs })
  for (const deliveryId of [1, 2]) {
    const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
    await sandbox.control('POST', `/links/${id}/pay`)
    const { answer } = await sandbox.control('GET', `/deliveries/${deliveryId}`)
    expect(answer.attempts).toMatchObject([told])
  }
})

test.for<[what: string, bytes: string, told: { status: number | null; error: string }]>([
  [
    'its body',
    'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf',
    { status: 200, error: 'its answer was cut off' },
  ],
  [
    'a chunk',
    'HTTP/1.1 500 Broken\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf',
    { status: 500, error: 'its answer was cut off' },
  ],
  [
    'its header',
    'HTTP/1.1 200 OK\r\nConte',
    { status: null, error: 'connection closed before an answer came' },
  ],
])(
  'an answer that ends in the middle of %s is recorded as far as it arrived',
  async ([_what, bytes, told], { sandbox }) => {
    await using receiver = await startAnswering(bytes, 'end')
    await sandbox.createLink({ payment_endpoint: receiver.url })
    const { answer } = await sandbox.control('POST', '/links/1001/pay')
    expect(answer.deliveries[0]!.attempts).toMatchObject([told])
  },
)

test('every header of an answer is recorded', async ({ sandbox }) => {
  await using receiver = await startAnswering(`HTTP/1.1 200 OK\r\n${FIELDS}Content-Length: 0\r\n\r\n`)
  const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
  await sandbox.control('POST', `/links/${id}/pay`)
  const { answer } = await sandbox.control('GET', '/deliveries/1')
  expect(answer.attempts[0]!.exchange!.response).toHaveProperty('headers.length', 1501)
})

test('bytes that are not HTTP are recorded as a failed attempt', async () => {
  await using receiver = await startAnswering('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  const poster = createPost({ timeoutMs: 10_000, userAgent: 'test' })
  const webhook = { contentType: 'text/plain\r\nx: y', body: '' }
  const { signal } = new AbortController()
  const { status, error } = await poster.post(
    new URL(receiver.url),
    [{ address: '127.0.0.1', family: 4 }],
    webhook,
    signal,
  )
  expect([status, error]).toEqual([null, expect.stringContaining('content-type')])
  await poster.close()
})
