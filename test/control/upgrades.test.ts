import { Hono } from 'hono'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { NodeEnv } from '../../server/platform/http/node-env.ts'
import { serve } from '../../server/runtime/server.ts'
import { openSandbox, type OpenSandbox } from '../support/sandbox.ts'
import { sendRaw } from '../support/send-raw.ts'
import { test } from '../support/test.ts'

const KEY = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'

const upgrade = (path: string, { method = 'GET', host = '127.0.0.1', more = '' } = {}): string =>
  `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n${KEY}${more}\r\n`

test.for([
  ['/tunnel/offered', 'HTTP/1.1 200 OK', 'captured'],
  ['/api/v2/createLink', 'HTTP/1.1 200 OK', 'Use POST for this operation, not GET'],
  ['/_sandbox/v1/info', 'HTTP/1.1 200 OK', '"version"'],
  ['/_sandbox/v1/strem', 'HTTP/1.1 404 Not Found', 'Did you mean GET /_sandbox/v1/stream?'],
] as const)(
  'a WebSocket request at %s is answered like a normal request',
  async ([path, status, said], { sandbox }) => {
    const answer = (await sendRaw(sandbox.url, upgrade(path))).toString()

    expect(answer.split('\r\n', 1)[0]).toBe(status)
    expect(answer).toContain(said)
    expect(sandbox.problems).toEqual([])
  },
)

test('a request of the stream without a WebSocket upgrade is refused with the reason', async ({
  sandbox,
}) => {
  const { status, answer } = await sandbox.rawControl('GET', '/stream')
  expect([status, answer.detail]).toEqual([400, expect.stringContaining('WebSocket')])
})

test.for(['[::1', 'a b', ''])(
  'a WebSocket request for the host name %j is refused',
  async (host, { sandbox }) => {
    const answer = await sendRaw(sandbox.url, upgrade('/_sandbox/v1/stream', { host }))
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 40[03] /)
  },
)

/** Requests a WebSocket that is refused, keeps sending, and waits until the server disconnects. */
async function requestRefusedWebSocket(sandbox: OpenSandbox): Promise<string> {
  const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(upgrade('/_sandbox/v1/stream', { more: 'Origin: http://evil.example\r\n' }))
  socket.write(Buffer.alloc(200_000))
  return text(socket)
}

test('a client that keeps sending after its WebSocket was refused does not delay close', async () => {
  const sandbox = await openSandbox()
  expect(await requestRefusedWebSocket(sandbox)).toMatch(/^HTTP\/1\.1 403 /)
  await sandbox.close()
})

test('a client that stays connected after its WebSocket was refused is disconnected', async () => {
  const app = new Hono<NodeEnv>()
  app.all('*', (c) => c.text('not you', 403))
  const server = await serve(app, '127.0.0.1', 0, undefined, { lingerMs: 50 })
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.resume()
  await once(socket, 'connect')
  socket.write(upgrade('/_sandbox/v1/stream'))
  await once(socket, 'end')

  // A client notices the disconnect only when it sends something.
  const isDisconnected = () => {
    socket.write('still here')
    return socket.destroyed
  }
  await expect.poll(isDisconnected).toBe(true)
  await server.close()
})

test('a pending WebSocket request does not delay close', async () => {
  const app = new Hono<NodeEnv>()
  const asked = new Promise<void>((resolve) => {
    app.all('*', () => {
      resolve()
      return new Promise<Response>(() => {})
    })
  })
  const server = await serve(app, '127.0.0.1', 0)
  const socket = connect(server.port, '127.0.0.1').on('error', () => {})
  socket.write(upgrade('/_sandbox/v1/stream'))
  await asked

  await server.close()
})
