import { Hono } from 'hono'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import type { NodeEnv } from '../../../server/platform/http/node-env.ts'
import { serve } from '../../../server/runtime/server.ts'
import { startReceiver } from '../../support/receiver.ts'
import { openSandbox, shop } from '../../support/sandbox.ts'
import { sendRaw } from '../../support/send-raw.ts'
import { test } from '../../support/test.ts'

const MIB = 1024 * 1024

/** A server that reads whole bodies, with short timeouts. */
function serveWithShortTimeouts(timeouts: Parameters<typeof serve>[4]) {
  const app = new Hono<NodeEnv>()
  app.all('*', async (c) => c.text(await c.req.text()))
  app.onError((_error, c) => c.text('', 400))
  return serve(app, '127.0.0.1', 0, undefined, { checkEveryMs: 20, ...timeouts })
}

test.each([
  ['header', 'POST / HTTP/1.1\r\nHost: x\r\nX-Slow: a', { headersMs: 100 }],
  ['body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na', { headersMs: 100, requestMs: 200 }],
])('a request that does not end in its %s is disconnected', async (_where, begun, timeouts) => {
  const server = await serveWithShortTimeouts(timeouts)

  const answer = await sendRaw(`http://127.0.0.1:${server.port}`, begun)

  expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 /)
  await server.close()
})

test('headers above 16 KiB are refused, large or many', async ({ sandbox }) => {
  for (const bomb of [`X-Large: ${'x'.repeat(20_000)}\r\n`, 'X-Small: 1\r\n'.repeat(3_000)]) {
    const answer = await sendRaw(
      sandbox.url,
      `GET /_sandbox/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${bomb}\r\n`,
    )
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 431 /)
  }
  expect((await fetch(`${sandbox.url}/_sandbox/health`)).status).toBe(200)
})

test('a body that does not end is answered as soon as it is too large', async ({ sandbox }) => {
  const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1')
  await once(socket, 'connect')
  const chunk = `${(2 * MIB).toString(16)}\r\n${'x'.repeat(2 * MIB)}\r\n`
  socket.write(
    `POST /api/v2/createLink HTTP/1.1\r\nHost: x\r\ntoken: ${shop.apiKey}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
  )

  const [answer] = await once(socket, 'data')
  socket.destroy()

  expect(String(answer)).toContain('at most 1 MiB')
})

test('a tunnel refuses a body that is too large, and stores nothing of it', async ({ sandbox }) => {
  const answer = await fetch(`${sandbox.url}/tunnel/x`, { method: 'POST', body: Buffer.alloc(MIB + 1, 'x') })

  expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('at most 1 MiB')])
  expect((await sandbox.control('GET', '/tunnels/x')).answer).toMatchObject({ requests: 0 })
})

test('a form that is too large is refused', async ({ sandbox }) => {
  const { id, pay_link } = await sandbox.createLink()
  const form = { method: 'card', outcome: 'pay', more: 'x'.repeat(16 * 1024) }

  const answer = await sandbox.submit(pay_link, form)

  expect(await answer.text()).toContain('A form should be at most 16 KiB.')
  expect((await sandbox.control('GET', `/links/${id}`)).answer).toMatchObject({ status: 'unused' })
})

test('a frame that is too large closes the connection of a listener', async ({ sandbox }) => {
  const address = `${sandbox.url.replace('http', 'ws')}/_sandbox/v1/tunnels/x/listen?listener=large&to=http://localhost:1`
  const socket = new WebSocket(address)
  await once(socket, 'open')
  socket.send(Buffer.alloc(2 * MIB))

  const [code] = await once(socket, 'close')

  expect(code).toBe(1009)
})

/** A decompression bomb: a thousand times as large when it is decompressed. */
const gzipped = gzipSync(Buffer.alloc(50 * MIB))

test('compressed bodies are not decompressed, no matter who sends them', async ({ sandbox }) => {
  await using receiver = await startReceiver((_received, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipped),
  )
  const send = (path: string, body: Uint8Array<ArrayBuffer>) =>
    fetch(sandbox.url + path, {
      method: 'POST',
      headers: { token: shop.apiKey, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body,
    })

  const call = await send('/api/v2/createLink', new Uint8Array(gzipSync('{"amount":5}')))
  expect(await call.json()).toMatchObject({
    ResponseMsg: 'The request body should be sent without compression, not with Content-Encoding: gzip',
  })
  const steering = await send('/_sandbox/v1/reset', new Uint8Array(gzipSync('{}')))
  expect([steering.status, (await steering.json()).detail]).toEqual([
    415,
    'The body is compressed (Content-Encoding: gzip). Send it without compression.',
  ])

  await send('/tunnel/x', new Uint8Array(gzipped))
  const { answer } = await sandbox.control('GET', '/tunnels/x/requests')
  expect(answer.requests.map(({ body }) => body.size)).toEqual([gzipped.length])

  const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
  const { deliveries } = (await sandbox.control('POST', `/links/${id}/pay`)).answer
  const whole = await sandbox.control('GET', `/deliveries/${deliveries[0]!.id}`)
  expect(whole.answer.attempts[0]?.exchange?.response?.body.size).toBe(gzipped.length)
})

test('only the beginning of an endless receiver answer is stored', async () => {
  /** Sends data for as long as the other side reads it. */
  const sendWithoutEnd = (response: ServerResponse): void => {
    while (!response.destroyed && response.write('x'.repeat(1024)));
    response.once('drain', () => sendWithoutEnd(response))
  }
  await using receiver = await startReceiver((_received, response) => sendWithoutEnd(response))
  await using sandbox = await openSandbox({ deliveryTimeoutMs: 20_000 })
  const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })

  const { deliveries } = (await sandbox.control('POST', `/links/${id}/pay`)).answer

  expect(deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status: 200, error: null }] }])
  const { answer } = await sandbox.control('GET', `/deliveries/${deliveries[0]!.id}`)
  expect(answer.attempts[0]?.exchange?.response?.body.content.length).toBe(64 * 1024)
})
