import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, vi } from 'vitest'
import { postLocal } from '../../../server/client/listener/post-local.ts'
import { LightResponse } from '../../../server/platform/http/light-response.ts'
import { listenAt } from '../../support/listen-at.ts'
import { startRawReceiver } from '../../support/raw-receiver.ts'
import { sendRaw, parseRawAnswer } from '../../support/send-raw.ts'
import { test } from '../../support/test.ts'

const MIB = 1024 * 1024

const BODIES: readonly (readonly [what: string, type: string, bytes: Buffer])[] = [
  ['a form', 'application/x-www-form-urlencoded', Buffer.from('data%5Bpay_id%5D=1&data[status]=Success')],
  ['JSON', 'application/json', Buffer.from('{ "ResponseCode":  1,\n"name": "Zoë" }')],
  ['text in another encoding', 'text/plain; charset=latin1', Buffer.from('Zo\xeb', 'latin1')],
  ['binary', 'application/octet-stream', randomBytes(10_000)],
  ['a byte order mark', 'text/plain', Buffer.from('\ufeffa')],
  ['nothing', 'text/plain', Buffer.alloc(0)],
  ['one MiB', 'application/octet-stream', randomBytes(MIB)],
]

test.for(BODIES)(
  '%s goes through a tunnel unchanged, in both directions',
  async ([_what, type, bytes], { sandbox }) => {
    await using app = await startRawReceiver((response, received) => {
      response.writeHead(207, { 'Content-Type': type }).end(received.bytes)
    })
    await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: `${app.origin}/hooks` })

    const answer = await fetch(`${sandbox.url}/tunnel/shop/in?a=%20b`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: new Uint8Array(bytes),
    })

    expect(answer.status).toBe(207)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(bytes.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true)
    expect(app.received).toMatchObject([{ method: 'POST', url: '/hooks/in?a=%20b' }])
    expect(bytes.equals(app.received[0]!.bytes)).toBe(true)
    expect(sandbox.problems).toEqual([])
  },
)

test('compressed bodies stay compressed, in both directions', async ({ sandbox }) => {
  const packed = gzipSync('{"packed":true}')
  await using app = await startRawReceiver((response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed)
  })
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin })

  const raw = await sendRaw(
    sandbox.url,
    `POST /tunnel/shop HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\nConnection: close\r\n\r\n`,
    packed,
  )
  const answer = parseRawAnswer(raw)

  expect(packed.equals(app.received[0]!.bytes)).toBe(true)
  expect(packed.equals(answer.bytes)).toBe(true)
  expect(answer.headers).toContain('Content-Encoding: gzip')
  expect(gunzipSync(answer.bytes).toString()).toBe('{"packed":true}')
})

test('paths are forwarded unchanged, and cannot leave the path of --forward-to', async ({ sandbox }) => {
  await using app = await startRawReceiver()
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: `${app.origin}/hooks/in` })
  const ask = async (path: string) =>
    parseRawAnswer(await sendRaw(sandbox.url, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`))
      .first

  expect(await ask('/tunnel/shop/a/%2E/b?x="a"')).toContain(' 200 ')
  expect(app.received.map(({ url }) => url)).toEqual(['/hooks/in/a/%2E/b?x="a"'])
  expect(await ask('/tunnel/shop/a/%2e%2e/b')).toContain(' 200 ')
  for (const path of [
    '/tunnel/shop/..;/../../../shop/../admin',
    '/tunnel/shop/%2e%2e/shop/%2e%2e/%2e%2e/admin',
  ]) {
    expect(await ask(path)).toMatch(/ (403|404|502) /)
  }
  expect(app.received).toHaveLength(2)
})

test('headers keep their sequence, case and number, and hop-by-hop headers are dropped', async ({
  sandbox,
}) => {
  await using app = await startRawReceiver((response) => {
    response.writeHead(201, ['X-Second', '2', 'set-cookie', 'a=1', 'X-First', '1', 'Set-Cookie', 'b=2'])
    response.end('done')
  })
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin })

  const raw = await sendRaw(
    sandbox.url,
    'PATCH /tunnel/shop/a//b?x=1&x=2 HTTP/1.1\r\nX-Zed: 1\r\nhost: pay.example\r\nX-Alpha: a\r\nX-ZED: 2\r\n',
    'X-Hop: gone\r\nConnection: close, x-hop\r\nTE: trailers\r\nContent-Length: 2\r\n\r\nhi',
  )

  expect(app.received).toEqual([
    {
      method: 'PATCH',
      url: '/a//b?x=1&x=2',
      rawHeaders:
        `X-Zed 1 host ${new URL(app.origin).host} X-Alpha a X-ZED 2 Content-Length 2 Sandbox-Hops 1 Connection close`.split(
          ' ',
        ),
      bytes: Buffer.from('hi'),
    },
  ])
  const { first, headers, bytes } = parseRawAnswer(raw)
  expect(first).toBe('HTTP/1.1 201 Created')
  expect(headers.slice(0, 4)).toEqual(['X-Second: 2', 'set-cookie: a=1', 'X-First: 1', 'Set-Cookie: b=2'])
  expect(bytes.toString()).toBe('done')
})

test('a chunked body is forwarded completely, with its length', async ({ sandbox }) => {
  await using app = await startRawReceiver()
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin })

  const head =
    'POST /tunnel/shop HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n'
  await sendRaw(sandbox.url, head, '3\r\nabc\r\n', '2\r\nde\r\n', '0\r\n\r\n')

  expect(app.received[0]!.bytes.toString()).toBe('abcde')
  const { host } = new URL(app.origin)
  expect(app.received[0]!.rawHeaders.join(' ')).toBe(
    `Host ${host} Content-Length 5 Sandbox-Hops 1 Connection close`,
  )
})

test.for(['GET', 'HEAD', 'DELETE', 'OPTIONS'])(
  'a %s request is forwarded without a body',
  async (method, { sandbox }) => {
    await using app = await startRawReceiver((response) => {
      response.writeHead(200, { 'Content-Length': 4 }).end(method === 'HEAD' ? undefined : 'body')
    })
    await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: `${app.origin}/hooks/` })

    const answer = await fetch(`${sandbox.url}/tunnel/shop`, { method })

    expect(await answer.text()).toBe(method === 'HEAD' ? '' : 'body')
    expect(answer.headers.get('content-length')).toBe('4')
    expect(app.received).toMatchObject([{ method, url: '/hooks/' }])
    expect(app.received[0]!.bytes.length).toBe(0)
  },
)

test('a HEAD request keeps its connection open, even if the program has replaced the global Response', async ({
  sandbox,
  onTestFinished,
}) => {
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('Response', LightResponse)
  await using app = await startRawReceiver((response) => {
    response.writeHead(200).end()
  })
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin })
  const head = `HEAD /tunnel/shop HTTP/1.1\r\nHost: ${new URL(sandbox.url).host}\r\n`

  const answers = await sendRaw(sandbox.url, `${head}\r\n${head}Connection: close\r\n\r\n`)

  expect(answers.toString().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
})

test('a redirect is passed on, not followed', async ({ sandbox }) => {
  await using app = await startRawReceiver((response) => {
    response.writeHead(302, { location: '/login' }).end()
  })
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin })

  const answer = await fetch(`${sandbox.url}/tunnel/shop`, { method: 'POST', redirect: 'manual' })

  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/login'])
  expect(app.received.length).toBe(1)
})

test('an answer above the limit of a tunnel is reported as a failure', async ({ sandbox }) => {
  await using app = await startRawReceiver((response) => response.end(Buffer.alloc(MIB + 1)))
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin })

  const answer = await fetch(`${sandbox.url}/tunnel/shop`, { method: 'POST' })

  expect(answer.status).toBe(502)
  expect(await answer.text()).toContain('larger than 1 MiB')
})

test.for<[what: string, endBody: (socket: Socket) => void, told: string]>([
  ['is reset', (socket) => socket.resetAndDestroy(), 'its answer was cut off'],
  ['ends early', (socket) => socket.destroy(), 'its answer was cut off'],
  ['has an invalid chunk', (socket) => socket.write('nonsense\r\n'), ''],
])(
  'a body that %s is reported as a failure, and the listener continues',
  async ([_what, endBody, told], { sandbox }) => {
    await using app = await startRawReceiver((response, { url }) => {
      if (url !== '/broken') return void response.end('whole')
      response.flushHeaders()
      response.write('half', () => endBody(response.socket!))
    })
    await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin })

    const broken = await fetch(`${sandbox.url}/tunnel/shop/broken`, { method: 'POST' })
    const next = await fetch(`${sandbox.url}/tunnel/shop`, { method: 'POST' })

    expect([broken.status, await next.text(), app.received.length]).toEqual([502, 'whole', 2])
    const text = await broken.text()
    expect(text).toMatch(/^The listener got no answer: .+ The sandbox does not send this request again/s)
    expect(text).toContain(told)
  },
)

test('an app that stops in the middle of its answer fails after the timeout', async () => {
  await using app = await startRawReceiver((response) => void response.writeHead(200).write('half'))

  const request = { method: 'POST', path: '/', headers: [] }
  await expect(postLocal(app.origin, request, Buffer.alloc(0), 50)).rejects.toThrow(
    'its answer did not end within 0.05 s',
  )
})

test('an invalid HTTP status is reported as a failure, and the listener continues', async ({ sandbox }) => {
  await using app = await startRawReceiver((response, { url }) => {
    response.writeHead(url === '/odd' ? 999 : 200).end()
  })
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin })

  const odd = await fetch(`${sandbox.url}/tunnel/shop/odd`, { method: 'POST' })
  const next = await fetch(`${sandbox.url}/tunnel/shop`, { method: 'POST' })

  expect([odd.status, next.status, app.received.length]).toEqual([502, 200, 2])
  expect(await odd.text()).toContain('it answered with status 999')
})

test('an app that switches protocols is reported as a failure', async () => {
  await using app = await startRawReceiver((response) =>
    response.writeHead(101, { connection: 'Upgrade', upgrade: 'websocket' }).end(),
  )
  const request = { method: 'POST', path: '/', headers: [] }
  await expect(postLocal(app.origin, request, Buffer.alloc(0))).rejects.toThrow('it answered 101')
})

test('the journal records the request, the answer with its bytes, and who answered', async ({ sandbox }) => {
  await using app = await startRawReceiver((response) => response.writeHead(418).end('short and stout'))
  await using _listener = await listenAt(sandbox.url, {
    tunnel: 'flower-shop',
    forwardTo: `${app.origin}/tea`,
    name: 'me',
  })
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')

  const { answer } = await sandbox.control(
    'GET',
    '/events?type=tunnel.captured,tunnel.answered,listener.connected,delivery.attempted',
  )
  const [connected, captured, answered, attempted] = answer.events
  expect(connected).toMatchObject({ type: 'listener.connected', listener: 'me', tunnel: 'flower-shop' })
  expect(captured).toMatchObject({ type: 'tunnel.captured', status: null, payId: 1001 })
  expect(answered).toMatchObject({
    type: 'tunnel.answered',
    eventSeq: captured!.seq,
    listener: 'me',
    first: true,
    status: 418,
    possibleDuplicate: false,
    payId: 1001,
  })
  expect(attempted).toMatchObject({ type: 'delivery.attempted', httpStatus: 418 })
  const { answer: whole } = await sandbox.control('GET', `/events/${answered!.seq}`)
  expect(whole).toMatchObject({
    exchange: {
      request: { url: `${app.origin}/tea`, body: { content: app.received[0]!.bytes.toString() } },
      response: { status: 418, body: { content: 'short and stout' } },
    },
  })
})

test('a page that an app returns to a browser cannot act as the inspector', async ({ sandbox }) => {
  await using app = await startRawReceiver((response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<script>steer()</script>')
  })
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: app.origin })

  const shown = await fetch(`${sandbox.url}/tunnel/shop`, { headers: { accept: 'text/html' } })
  const posted = await fetch(`${sandbox.url}/tunnel/shop`, { method: 'POST', headers: { accept: '*/*' } })

  expect(shown.headers.get('content-security-policy')).toMatch(/^sandbox /)
  expect(posted.headers.get('content-type')).toBe('text/html')
})
