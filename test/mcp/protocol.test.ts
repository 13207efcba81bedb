import { once } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { expect } from 'vitest'
import { MAX_MESSAGE_BYTES } from '../../server/mcp/stdio-transport.ts'
import { serveMcp } from '../../server/mcp/serve-mcp.ts'
import { startCli } from '../support/cli.ts'
import { test as base } from '../support/test.ts'

interface Reply {
  readonly id: number | string | null
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string }
}

/** A command `mcp` whose lines the test writes itself. */
function startRaw(url: string) {
  const stdin = new PassThrough()
  const command = startCli(['mcp', '--sandbox', url], { cwd: '.', stdin })
  const replies = (): Reply[] => command.lines.map((line) => JSON.parse(line) as Reply)
  return {
    stdin,
    closed: command.closed,
    errors: command.errors,
    replies,
    write: (...lines: (string | Buffer)[]) =>
      lines.forEach((line) => stdin.write(Buffer.concat([Buffer.from(line), Buffer.from('\n')]))),
    /** The next reply to an id. */
    async reply(id: number | string | null): Promise<Reply> {
      await command.until(() => replies().some((reply) => reply.id === id))
      return replies().find((reply) => reply.id === id)!
    },
    async [Symbol.asyncDispose]() {
      stdin.end()
      await command.closed
    },
  }
}

const test = base.extend('raw', async ({ sandbox }, { onCleanup }) => {
  const raw = startRaw(sandbox.url)
  onCleanup(() => raw[Symbol.asyncDispose]())
  return raw
})

const request = (id: unknown, method: string, params?: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

const initialize = (id: number, protocolVersion = '2025-06-18'): string =>
  request(id, 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } })

const LONG = 'x'.repeat(MAX_MESSAGE_BYTES)

test.for<[what: string, line: string | Buffer, id: number | string | null, code: number]>([
  ['no JSON', '{"jsonrpc":', null, -32700],
  ['text', 'hello', null, -32700],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), null, -32700],
  ['null', 'null', null, -32600],
  ['a number', '7', null, -32600],
  ['an empty batch', '[]', null, -32600],
  ['a batch', `[${request(7, 'ping')},{"jsonrpc":"2.0","method":"notifications/initialized"}]`, 7, -32600],
  ['a batch of notifications', '[{"jsonrpc":"2.0","method":"notifications/initialized"}]', null, -32600],
  ['an object without jsonrpc', '{"id":7,"method":"ping"}', 7, -32600],
  ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":"a","method":"ping"}', 'a', -32600],
  ['no method', '{"jsonrpc":"2.0","id":7}', 7, -32600],
  ['a method that is not text', '{"jsonrpc":"2.0","id":7,"method":1}', 7, -32600],
  ['the id null', request(null, 'ping'), null, -32600],
  ['an id that is an object', request({}, 'ping'), null, -32600],
  ['an id that is a fraction', request(1.5, 'ping'), null, -32600],
  ['params that are a list', request(7, 'tools/list', [1]), 7, -32602],
  ['params that are text', request(7, 'ping', 'x'), 7, -32602],
  ['a _meta that is not an object', request(7, 'ping', { _meta: 1 }), 7, -32602],
  ['an unknown method', request(7, 'no/such'), 7, -32601],
  ['an unknown tool', request(7, 'tools/call', { name: 'none', arguments: {} }), 7, -32602],
  ['a call without a name', request(7, 'tools/call', {}), 7, -32602],
  ['a line that is too long', `"${LONG}"`, null, -32600],
  ['a long request that begins with its id', request(7, 'ping', { a: LONG }), 7, -32600],
  [
    'a long request that ends with its id',
    `{"method":"ping","params":{"a":"${LONG}"},"id":"a"}`,
    'a',
    -32600,
  ],
  [
    'a long request that ends with its id and the version',
    `{"method":"ping","params":{"a":"${LONG}"},"id": 7,"jsonrpc":"2.0"}\r`,
    7,
    -32600,
  ],
  [
    'a long request with ids inside only',
    `{"method":"ping","params":{"id":7,"a":"${LONG}","id":7}}`,
    null,
    -32600,
  ],
  ['a long answer', `{"jsonrpc":"2.0","id":7,"result":"${LONG}"}`, null, -32600],
])(
  'a line with %s gets an error of the protocol, and the next request is answered',
  async ([, line, id, code], { raw }) => {
    raw.write(initialize(1), line, request('next', 'ping'))
    expect(await raw.reply(id)).toMatchObject({ error: { code, message: expect.stringMatching(/.{5}/) } })
    expect(await raw.reply('next')).toMatchObject({ result: {} })
    expect(new Set(raw.replies().map((reply) => reply.id))).toEqual(new Set([1, id, 'next']))
    expect(raw.replies()).toHaveLength(3)
  },
)

test.for([
  ['an unknown notification', '{"jsonrpc":"2.0","method":"notifications/none"}'],
  ['a notification with wrong params', '{"jsonrpc":"2.0","method":"notifications/none","params":[]}'],
  [
    'a cancellation of nothing',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
  ],
  ['a cancellation without params', '{"jsonrpc":"2.0","method":"notifications/cancelled"}'],
  ['an answer to nothing', '{"jsonrpc":"2.0","id":3,"result":{}}'],
  ['an error to nothing', '{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"x"}}'],
  ['a broken answer', '{"jsonrpc":"2.0","id":3,"error":7}'],
  ['an empty line', ''],
  ['a line of spaces', ' \r'],
])('a line with %s gets no answer, but the next request gets one', async ([, line], { raw }) => {
  raw.write(initialize(1), line!, request('next', 'ping'))
  await raw.reply('next')
  expect(raw.replies().map(({ id }) => id)).toEqual([1, 'next'])
})

test('lines are read in any pieces, with any line end', async ({ raw }) => {
  raw.write(`\uFEFF${initialize(1)}`)
  raw.stdin.write(`${request(2, 'ping')}\r\n${request(3, 'ping')}\n`)
  const note = Buffer.from(
    `${request(4, 'tools/call', { name: 'create_link', arguments: { amount: 1, note: 'Öl €' } })}\n`,
  )
  for (const byte of note) raw.stdin.write(Buffer.from([byte]))
  for (const id of [1, 2, 3]) expect(await raw.reply(id)).toMatchObject({ result: {} })
  expect(await raw.reply(4)).toMatchObject({ result: { structuredContent: { untrusted: { note: 'Öl €' } } } })
})

test.for([
  ['2024-11-05', '2024-11-05'],
  ['2025-03-26', '2025-03-26'],
  ['2099-01-01', expect.stringMatching(/^2025-/)],
  ['', expect.stringMatching(/^2025-/)],
])(
  'the client and the server agree on a version of the protocol, and again if the client asks again: %s',
  async ([asked, expected], { raw }) => {
    raw.write(initialize(1, asked), initialize(2, asked))
    for (const id of [1, 2])
      expect(await raw.reply(id)).toMatchObject({ result: { protocolVersion: expected } })
  },
)

test('a cancelled request gets no answer, and others do', async ({ raw }) => {
  const wait = { name: 'events', arguments: { action: 'wait', type: 'dispute.opened', timeoutMs: 30_000 } }
  raw.write(initialize(1), request(2, 'tools/call', wait))
  raw.write(
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}',
    request(3, 'ping'),
  )
  await raw.reply(3)
  raw.stdin.end()
  expect(await raw.closed).toBe(0)
  expect(raw.replies().map(({ id }) => id)).toEqual([1, 3])
})

test('requests before the end of stdin are answered, even a last line without a line break', async ({
  raw,
}) => {
  raw.write(initialize(1), request(2, 'tools/call', { name: 'sandbox_status', arguments: {} }))
  raw.stdin.end(request(3, 'tools/list'))
  expect(await raw.closed).toBe(0)
  expect(
    raw
      .replies()
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([1, 2, 3])
})

test('a line that ends in the middle is an error, and the command ends', async ({ raw }) => {
  raw.write(initialize(1))
  raw.stdin.end(request(2, 'ping').slice(0, 20))
  expect(await raw.closed).toBe(0)
  expect(await raw.reply(null)).toMatchObject({ error: { code: -32700 } })
  expect(await raw.reply(1)).toMatchObject({ result: {} })
})

test('no request is read while the client does not read its answers', async ({ sandbox }) => {
  const stdin = new PassThrough()
  let release = (): void => {}
  const stdout = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, written) => void (release = written),
  })
  const stopped = new AbortController()
  const served = serveMcp(
    { sandbox: () => Promise.reject(new Error('not used')), readText: () => Promise.resolve(sandbox.url) },
    { stdin, stdout, signal: stopped.signal, onError: () => {} },
  )
  stdin.write(`${initialize(1)}\n`)
  await once(stdin, 'pause')
  expect(stdin.isPaused()).toBe(true)
  release()
  await once(stdin, 'resume')
  stopped.abort()
  await served
})
