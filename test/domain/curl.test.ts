import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { encodeBody, type Body, type Headers } from '../../server/domain/http/exchange.ts'
import { curlCommand } from '../../server/domain/http/curl.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

test.each<[what: string, bytes: Uint8Array]>([
  ['a form', encode('ResponseCode=1&data%5Bpay_id%5D=1001')],
  ['single quotes', encode(`{"note":"it's 5 o'clock"}`)],
  ['what a shell would run', encode('$(touch /tmp/x) `id` $HOME ; rm -rf "." \\ !')],
  ['newlines, one of them at the end', encode('a\nb\r\n\n')],
  ['what curl would read as a file', encode('@/etc/passwd')],
  ['umlauts and an emoji', encode('Größe 🎉')],
  ['a zero byte', encode('a\0b')],
  ['bytes that are not text', Uint8Array.of(0xff, 0xfe, 0x00, 0x27, 0x80)],
])('the copied command sends %s unchanged', async (_what, bytes) => {
  await using receiver = await startReceiver()
  const headers = [['Content-Type', 'application/octet-stream']] as const

  await sh(curlCommand({ method: 'POST', url: receiver.url, headers, body: encodeBody(bytes) }))

  expect(receiver.received).toMatchObject([{ method: 'POST', url: '/', bytes: Buffer.from(bytes) }])
})

test.each<[method: string, path: string]>([
  ['GET', '/thanks?status=Success&note=it%27s'],
  ['HEAD', '/'],
  ['DELETE', '/a/../b'],
  ['POST', '/hooks?ids[0]={1,2}'],
])('the copied command for %s %s has its method and its URL', async (method, path) => {
  await using receiver = await startReceiver()

  await sh(curlCommand({ method, url: receiver.url + path.slice(1), headers: [], body: empty }))

  expect(receiver.received).toMatchObject([{ method, url: path }])
})

test('the copied command has all headers except those of the connection', async () => {
  await using receiver = await startReceiver()
  const headers: Headers = [
    ['Host', 'shop.example.com'],
    ['Content-Length', '999'],
    ['token', `dev'Key"$1`],
    ['x-empty', ''],
  ]

  await sh(curlCommand({ method: 'POST', url: receiver.url, headers, body: encodeBody(encode('x')) }))

  const sent = receiver.received[0]?.headers
  expect(sent).toMatchObject({ token: `dev'Key"$1`, 'x-empty': '', 'content-length': '1' })
  expect(sent).not.toHaveProperty('content-type')
  expect(sent?.host).not.toBe('shop.example.com')
})

const empty: Body = { encoding: 'utf8', content: '', size: 0 }

interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

async function startReceiver() {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    received.push({ method, url, headers, bytes: await buffer(request) })
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function sh(command: string): Promise<void> {
  const shell = spawn('sh', ['-c', command], { stdio: 'ignore' })
  const [code] = (await once(shell, 'exit')) as [number | null]
  expect(code, command).toBe(0)
}
