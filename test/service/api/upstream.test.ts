import type { Har } from 'har-format'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { pairHeaders, type Exchange } from '../../../server/domain/http/exchange.ts'
import type { EventView } from '../../../server/contract/views.ts'
import { connectSandbox } from '../../../server/package/index.ts'
import { createAccount } from '../../support/account.ts'
import { createCondition } from '../../support/condition.ts'
import { freePort } from '../../support/free-port.ts'
import { harProblems } from '../../support/har-problems.ts'
import { startRawReceiver } from '../../support/raw-receiver.ts'
import { readReport } from '../../support/report.ts'
import { openSandbox, production, recipients, shop, type OpenSandbox } from '../../support/sandbox.ts'
import { parseRawAnswer, sendRaw } from '../../support/send-raw.ts'
import { test } from '../../support/test.ts'

type CallEvent = Extract<EventView, { type: 'api.request' | 'api.limited' }> & {
  readonly exchange: Exchange | null
}

/** The calls in the journal, oldest first, with their bytes. */
async function calls({ control }: OpenSandbox): Promise<CallEvent[]> {
  const { answer } = await control('GET', '/events?type=api.request,api.limited')
  const found = await Promise.all(
    answer.events.map(async ({ seq }) => (await control('GET', `/events/${seq}`)).answer),
  )
  return found.filter((event) => event.type === 'api.request' || event.type === 'api.limited')
}

const createLink = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/v2/createSplitLink`, {
    method: 'POST',
    headers: { token: shop.apiKey, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ amount: 100, recipients }),
    redirect: 'manual',
  })

test('the upstream answers calls, and the journal has each of them once', async ({ sandbox: service }) => {
  await using mirror = await openSandbox({ upstream: service.url })
  const response = await createLink(mirror.url)
  const text = await response.text()
  const { data } = JSON.parse(text)
  expect(data.pay_link).toMatch(service.url)

  const [atService] = await calls(service)
  expect(atService!.exchange!.response!.body.content).toBe(text)
  const recorded = await calls(mirror)
  expect(recorded).toHaveLength(1)
  expect(recorded[0]).toMatchObject({
    upstream: service.url,
    accountId: shop.id,
    linkId: null,
    status: 200,
    code: 1,
    assumed: [],
    exchange: {
      request: { url: `${mirror.url}/api/v2/createSplitLink` },
      response: { status: 200, body: { content: text } },
      sandboxResponse: { status: 200 },
    },
  })
  expect((await mirror.control('GET', '/links')).answer).toMatchObject({ links: [] })
})

test('a call and its answer pass byte for byte', async () => {
  const zipped = gzipSync('{"ResponseCode":1,"ResponseMsg":"Zürich"}')
  await using service = await startRawReceiver((response) => {
    response.sendDate = false
    response.writeHead(203, 'Not Quite', [
      'X-First',
      '1',
      'set-cookie',
      'a=1',
      'Set-Cookie',
      'b=2',
      'Content-Encoding',
      'gzip',
      'Strict-Transport-Security',
      'max-age=1',
      'Connection',
      'close, X-Hop',
      'X-Hop',
      'secret',
      'Transfer-Encoding',
      'chunked',
    ])
    response.end(zipped)
  })
  await using mirror = await openSandbox({ upstream: service.origin })
  const body = '{ "amount" : 1 }'
  const answer = parseRawAnswer(
    await sendRaw(
      mirror.url,
      `POST /api/v2/"x"?b=%7e HTTP/1.1\r\nHOST: localhost\r\nToken: dev-of-the-service\r\ncookie: mine=1\r\nX-aB: ä\r\nConnection: close, X-mine\r\nX-mine: 1\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    ),
  )
  expect(answer.first).toBe('HTTP/1.1 203 Not Quite')
  expect(answer.headers).toEqual([
    'X-First: 1',
    'set-cookie: a=1',
    'Set-Cookie: b=2',
    'Content-Encoding: gzip',
    'Strict-Transport-Security: max-age=1',
    `content-length: ${zipped.length}`,
    'Connection: close',
  ])
  expect(answer.bytes).toEqual(zipped)

  expect(service.received).toHaveLength(1)
  const { rawHeaders, ...received } = service.received[0]!
  expect(received).toEqual({ method: 'POST', url: '/api/v2/"x"?b=%7e', bytes: Buffer.from(body) })
  const lines = pairHeaders(rawHeaders).map(([name, value]) => `${name}: ${Buffer.from(value, 'latin1')}`)
  expect(lines).toEqual([
    `HOST: ${service.origin.slice('http://'.length)}`,
    'Token: dev-of-the-service',
    'X-aB: ä',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ])
  const [recorded] = await calls(mirror)
  expect(recorded).toMatchObject({ operation: '%22x%22', status: 203, code: 1, message: 'Zürich' })
})

test('an answer in several encodings is decoded, and an answer that cannot be decoded is not compared', async () => {
  const text = '{"ResponseCode":1,"ResponseMsg":"Made"}'
  const twice = brotliCompressSync(gzipSync(text))
  const zstd = Buffer.from('28b52ffd040009000000', 'hex')
  await using service = await startRawReceiver((response, { url }) => {
    if (url.endsWith('zstd')) response.writeHead(200, { 'content-encoding': 'zstd' }).end(zstd)
    else if (url.endsWith('broken')) response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
    else response.writeHead(200, { 'content-encoding': 'gzip, identity, BR' }).end(twice)
  })
  await using mirror = await openSandbox({ upstream: service.origin })
  for (const operation of ['zstd', 'broken', 'twice']) {
    const head = `POST /api/v2/${operation} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    const { bytes } = parseRawAnswer(await sendRaw(mirror.url, head))
    expect(bytes).toEqual({ zstd, broken: Buffer.from('no gzip'), twice }[operation])
  }
  const [unknown, broken, decoded] = await calls(mirror)
  expect(unknown).toMatchObject({
    message: 'HTTP 200 with a body that cannot be decoded from zstd',
    comparisonSkipped: 'The sandbox cannot decode the answer. Its content encoding is zstd.',
  })
  expect(unknown).not.toHaveProperty('differences')
  expect(broken).toMatchObject({
    comparisonSkipped: 'The sandbox cannot decode the answer. Its content encoding is gzip.',
  })
  expect(decoded).toMatchObject({
    code: 1,
    message: 'Made',
    exchange: { response: { body: { content: text } } },
  })
})

test('a redirect of the upstream is passed back, and not followed', async () => {
  await using elsewhere = await startRawReceiver()
  await using service = await startRawReceiver((response) =>
    response.writeHead(307, { location: `${elsewhere.origin}/api/v2/createLink` }).end(),
  )
  await using mirror = await openSandbox({ upstream: service.origin })
  const response = await createLink(mirror.url)
  expect(response.status).toBe(307)
  expect(response.headers.get('location')).toBe(`${elsewhere.origin}/api/v2/createLink`)
  expect(elsewhere.received).toEqual([])
  expect(await calls(mirror)).toMatchObject([{ status: 307, upstream: service.origin }])
})

test('a path that leads out of the API is not sent to the upstream', async () => {
  await using service = await startRawReceiver()
  await using mirror = await openSandbox({ upstream: service.origin })
  for (const path of ['/api/v2/../admin', '/api/v2/%2e%2e/admin', '/api/v2/..\\admin']) {
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    expect(parseRawAnswer(await sendRaw(mirror.url, head)).first).toMatch(/ 40[04] /)
  }
  expect(service.received).toEqual([])

  const inside = 'POST /x/../api/v2/createLink HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  await sendRaw(mirror.url, inside)
  expect(service.received.map(({ url }) => url)).toEqual(['/api/v2/createLink'])
})

test('the answer says whether the upstream is down, slow, cut off or failing', async () => {
  const halfway = (response: ServerResponse) => {
    response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy())
  }
  await using service = await startRawReceiver((response, { url }) => {
    if (url.endsWith('slow')) return
    if (url.endsWith('cut')) halfway(response)
    else if (url.endsWith('closed')) response.destroy()
    else if (url.endsWith('strange')) response.socket!.end('nonsense\r\n\r\n')
    else response.writeHead(503, 'Down', { 'content-type': 'text/html' }).end('<h1>Down</h1>')
  })
  await using mirror = await openSandbox({ upstream: service.origin })
  const post = async (operation: string, { url } = mirror) => {
    const response = await fetch(`${url}/api/v2/${operation}`, { method: 'POST' })
    return {
      status: response.status,
      error: response.headers.get('sandbox-error'),
      text: await response.text(),
    }
  }
  const incomplete = `${service.origin} gave no complete answer: `
  await using impatient = await openSandbox({ upstream: service.origin, upstreamTimeoutMs: 1_000 })
  expect(await post('slow', impatient)).toMatchObject({
    status: 504,
    error: 'upstreamTimeout',
    text: expect.stringContaining(`${incomplete}no answer within 1 s. It may have handled the call`),
  })
  expect(await post('cut')).toMatchObject({
    status: 502,
    error: 'upstreamFailed',
    text: expect.stringContaining(`${incomplete}its answer was cut off. It may have handled the call`),
  })
  expect(await post('closed')).toMatchObject({
    status: 502,
    text: expect.stringContaining('connection closed before an answer came. It may have handled the call'),
  })
  expect(await post('strange')).toMatchObject({
    status: 502,
    text: expect.stringContaining('its answer is not valid HTTP'),
  })
  expect(await post('failing')).toEqual({ status: 503, error: null, text: '<h1>Down</h1>' })
  await service[Symbol.asyncDispose]()
  expect(await post('down')).toMatchObject({
    status: 502,
    text: expect.stringMatching(/"ResponseMsg":"[^"]*connection refused, nothing listens on [\d.:]+"/),
  })

  const { origin: upstream } = service
  expect(await calls(impatient)).toMatchObject([
    {
      status: 504,
      code: 0,
      upstream,
      errorCode: 'upstreamTimeout',
      upstreamError: 'no answer within 1 s',
    },
  ])
  expect(await calls(mirror)).toMatchObject([
    { status: 502, code: 0, upstream, errorCode: 'upstreamFailed', upstreamError: 'its answer was cut off' },
    { status: 502, upstreamError: 'connection closed before an answer came' },
    { status: 502, upstreamError: expect.stringContaining('not valid HTTP') },
    { status: 503, code: 0, upstream, message: 'HTTP 503 without ResponseMsg' },
    { status: 502, upstreamError: expect.stringContaining('connection refused') },
  ])
})

test('the certificate of the upstream is verified', async () => {
  await using service = await openSandbox({ tls: true })
  await using mirror = await openSandbox({ upstream: service.url })
  const response = await createLink(mirror.url)
  expect(response.status).toBe(502)
  expect(await response.text()).toContain(
    'its certificate is self-signed, so it is not trusted. Set NODE_EXTRA_CA_CERTS',
  )
})

test('a production key is refused, unless it is allowed', async ({ sandbox: service }) => {
  await using mirror = await openSandbox({ upstream: service.url })
  for (const token of [production.apiKey, 'live0123456789']) {
    const response = await createLink(mirror.url, { token })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      ResponseCode: 0,
      ResponseMsg: `The call was not sent to ${service.url}, because its key is a production key. Use a development key, or start with --allow-production-key`,
    })
  }
  expect(await calls(service)).toEqual([])
  const refused = await calls(mirror)
  expect(refused).toMatchObject([{ errorCode: 'productionKey' }, { errorCode: 'productionKey' }])
  expect(refused[0]).not.toHaveProperty('upstream')

  await using allowing = await openSandbox({ upstream: service.url, allowProductionKey: true })
  await createLink(allowing.url, { token: 'live0123456789' })
  expect(await calls(service)).toHaveLength(1)
})

test('a body that is too large is refused, and not sent to the upstream', async () => {
  await using service = await startRawReceiver()
  await using mirror = await openSandbox({ upstream: service.origin })
  const response = await fetch(`${mirror.url}/api/v2/createLink`, {
    method: 'POST',
    headers: { token: 'dev-of-the-service', 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 1, note: 'x'.repeat(1024 * 1024) }),
  })
  const message = `The call was not sent to ${service.origin}, because its body is larger than 1 MiB`
  expect([response.status, response.headers.get('sandbox-error')]).toEqual([413, 'bodyTooLarge'])
  expect(await response.json()).toMatchObject({ ResponseCode: 0, ResponseMsg: message })
  expect(service.received).toEqual([])
  expect(await calls(mirror)).toMatchObject([{ status: 413, code: 0, errorCode: 'bodyTooLarge', message }])
})

test('a call is recorded even if its caller is gone or the sandbox stops', async ({ folder }) => {
  const waiting: ServerResponse[] = []
  const { notify, until } = createCondition()
  await using service = await startRawReceiver((response) => {
    waiting.push(response)
    notify()
  })
  const db = join(folder.path, 'sandbox.db')
  const caller = new AbortController()
  {
    await using mirror = await openSandbox({ upstream: service.origin, db })
    const gone = fetch(`${mirror.url}/api/v2/createLink`, { method: 'POST', signal: caller.signal })
    await until(() => waiting.length === 1)
    const pending = createLink(mirror.url)
    await until(() => waiting.length === 2)
    caller.abort()
    await expect(gone).rejects.toThrow()
    const recorded = mirror.control('POST', '/events/wait', {
      match: { type: 'api.request' },
      timeoutMs: 60_000,
    })
    waiting[0]!.end('{"ResponseCode":1,"ResponseMsg":"Made"}')
    await recorded
    void pending.catch(() => {})
  }
  await using again = await openSandbox({ db })
  expect((await calls(again)).map(({ message }) => message)).toEqual([
    'Made',
    `${service.origin} gave no complete answer: the sandbox was stopped`,
  ])
})

test('keys of the upstream are masked in exports', async ({ sandbox: service }) => {
  const { apiKey } = await createAccount(service, { apiKey: 'upstreamkey0123456789' })
  await using mirror = await openSandbox({ upstream: service.url })
  await fetch(`${mirror.url}/api/v2/createLink?key=${apiKey}`, {
    method: 'POST',
    headers: { token: apiKey, 'x-note': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 5, recipient_note: `the key is ${apiKey}` }),
  })
  for (const file of ['export.har', 'report']) {
    const text = await (await fetch(`${mirror.url}/_sandbox/v1/${file}`)).text()
    const readable = file === 'report' ? JSON.stringify(readReport(text)) : text
    expect(readable).toContain('the key is ups…89')
    expect(readable).not.toContain(apiKey)
  }
})

test('an answer that is too large is not passed on', async () => {
  await using service = await startRawReceiver((response) => response.end(Buffer.alloc(17 * 1024 * 1024)))
  await using mirror = await openSandbox({ upstream: service.origin })
  const response = await createLink(mirror.url)
  expect(response.status).toBe(502)
  expect(await response.text()).toContain('its answer is larger than 16 MiB')
})

test('a HAR file and a snapshot keep the answer of the sandbox', async ({ sandbox }) => {
  await using service = await openSandbox({ behaviors: { errorStatus: 'http' } })
  await using mirror = await openSandbox({ upstream: service.url })
  await mirror.call('createLink', {})
  const har = (await (await fetch(`${mirror.url}/_sandbox/v1/export.har`)).json()) as Har
  expect(harProblems(har)).toEqual([])
  expect(har.log.entries).toMatchObject([
    {
      response: { status: 422 },
      _sandbox: {
        upstream: service.url,
        differences: ['The service answers HTTP 422, the sandbox HTTP 200.'],
        sandboxResponse: { status: 200, content: { text: expect.stringContaining('Please enter amount') } },
      },
    },
  ])

  await mirror.control('POST', '/snapshots', { name: 'watched' })
  const address = '/_sandbox/v1/snapshots/watched/file'
  const file = await (await fetch(mirror.url + address)).arrayBuffer()
  const uploaded = await fetch(sandbox.url + address, { method: 'PUT', body: file })
  expect(uploaded.status).toBe(201)
  await sandbox.control('POST', '/snapshots/watched/restore')
  expect(await calls(sandbox)).toEqual(await calls(mirror))
})

test.for([
  [
    'dev.pay.example',
    'upstream is dev.pay.example. It must be an address like https://dev.pay.example, without a path.',
  ],
  ['https://pay.example/api/v2', 'upstream is https://pay.example/api/v2. It must be an address like'],
  ['http://pay.example', 'It must be an https address. Plain http would show your API key to the network.'],
  ['https://live.pay.example', 'upstream is https://live.pay.example, which looks like production.'],
  ['https://169.254.169.254', 'upstream cannot be https://169.254.169.254: 169.254.169.254 is a link-local'],
])('the upstream %s is refused', async ([upstream, message]) => {
  await expect(openSandbox({ upstream })).rejects.toThrow(message)
})

test('the upstream cannot be the sandbox itself, and a production key needs an upstream', async () => {
  const port = await freePort()
  await expect(openSandbox({ port, upstream: `http://localhost:${port}` })).rejects.toThrow(
    `upstream cannot be http://localhost:${port}: this sandbox listens there.`,
  )
  await expect(openSandbox({ allowProductionKey: true })).rejects.toThrow(
    'allowProductionKey has no effect without an upstream. Also set upstream, or leave it out.',
  )
})

test('requests that the sandbox makes to itself never reach the upstream', async () => {
  await using real = await startRawReceiver()
  await using mirror = await openSandbox({ upstream: real.origin })
  const sandbox = await connectSandbox(mirror.url)

  expect((await sandbox.info()).upstream).toBe(real.origin)
  const story = await mirror.control('POST', '/seed/sample-story')
  expect(story.status).toBe(201)
  const account = await sandbox.createAccount()
  const link = await account.createLink({ amount: 5 })
  expect((await sandbox.pay(link)).link.status).toBe('paid')
  await account.call('refundPayment', { pay_id: link.payId, refund_amount: 5 })
  for (const check of [sandbox.check, sandbox.checkCaller]) {
    await expect(check(real.origin)).rejects.toThrow(
      `Nothing was checked, because ${real.origin} answers the calls of this sandbox`,
    )
  }
  expect(real.received).toEqual([])
})
