import { Hono } from 'hono'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request as plainRequest } from 'node:http'
import { Agent, request } from 'node:https'
import { connect as connectSocket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { connectSandbox, startSandbox } from '../../../server/package/index.ts'
import { runSandbox } from '../../../server/runtime/sandbox.ts'
import { serve } from '../../../server/runtime/server.ts'
import { selfSignedCertificate } from '../../../server/platform/tls/self-signed-certificate.ts'
import { runBuiltCli } from '../../support/process.ts'
import { startReceiver } from '../../support/receiver.ts'
import { courier, openSandbox, shop } from '../../support/sandbox.ts'
import { startTlsProxy } from '../../support/tls-proxy.ts'
import { test } from '../../support/test.ts'

interface Asked {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  /** The name that the certificate must cover. Default: the name in the request. */
  readonly name?: string
}

/** Makes a request over TLS that trusts one certificate, with a host name that no DNS server knows. */
async function ask(port: number, ca: string, path: string, { method, headers, body, name }: Asked = {}) {
  const asked = request({
    host: '127.0.0.1',
    port,
    path,
    method: method ?? 'GET',
    headers: { ...(name === undefined ? {} : { host: name }), ...headers },
    ...(name === undefined ? {} : { servername: name }),
    ca,
    agent: false,
  })
  asked.end(body)
  const [response] = await once(asked, 'response')
  return {
    status: response.statusCode as number,
    headers: response.headers as Record<string, string>,
    text: await text(response),
  }
}

const NAME = 'pay.dev.example'
const TOKEN = { authorization: 'Bearer open sesame' }

test('behind a proxy that terminates TLS, every URL uses the public name', async () => {
  await using sandbox = await openSandbox({ publicUrl: `https://${NAME}`, adminToken: 'open sesame' })
  await using proxy = await startTlsProxy(NAME, Number(new URL(sandbox.url).port))
  const get = (path: string, asked: Asked = {}) => ask(proxy.port, proxy.cert, path, { name: NAME, ...asked })

  const created = await get('/api/v2/createSplitLink', {
    method: 'POST',
    headers: { token: shop.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: 5,
      recipients: [{ token: courier.recipientToken, share: 30 }],
      is_qr_link: true,
    }),
  })
  const { data } = JSON.parse(created.text)
  expect(data.pay_link).toMatch(/^https:\/\/pay\.dev\.example\/payment\?link_id=/)
  expect(data.qr_img).toMatch(/^https:\/\/pay\.dev\.example\/qr\//)
  expect(await get(new URL(data.qr_img).pathname)).toMatchObject({ status: 200 })

  const { pathname, search } = new URL(data.pay_link)
  const paid = await get(pathname + search, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: `https://${NAME}` },
    body: 'method=card&outcome=pay',
  })
  expect(paid.status).toBe(303)
  expect(new URL(paid.headers.location!, `https://${NAME}`).origin).toBe(`https://${NAME}`)

  const info = '/_sandbox/v1/info'
  expect((await get(info)).status).toBe(401)
  expect((await get(info, { headers: TOKEN })).status).toBe(200)
  expect((await get(info, { headers: { ...TOKEN, origin: `https://${NAME}` } })).status).toBe(200)
  for (const origin of [`http://${NAME}`, 'https://evil.example', `https://${NAME}.evil.example`]) {
    expect([origin, (await get(info, { headers: { ...TOKEN, origin } })).status]).toEqual([origin, 403])
  }
  expect((await get(info, { headers: { ...TOKEN, host: 'evil.example' } })).status).toBe(403)

  const opened = await get('/?admin_token=open%20sesame')
  const cookie = opened.headers['set-cookie']![0]!
  expect(cookie).toMatch(/; Secure/)
  const socket = new WebSocket(`wss://127.0.0.1:${proxy.port}/_sandbox/v1/stream`, {
    agent: new Agent({ ca: proxy.cert, servername: NAME }),
    headers: { host: NAME, cookie: cookie.split(';')[0]!, origin: `https://${NAME}` },
  })
  const [hello] = await once(socket, 'message')
  expect(JSON.parse(String(hello))).toMatchObject({ type: 'hello' })
  socket.terminate()
})

test('the cookie for plain http has no Secure attribute', async () => {
  await using sandbox = await openSandbox({ publicUrl: `https://${NAME}`, adminToken: 'open sesame' })
  const opened = await fetch(`${sandbox.url}/?admin_token=open%20sesame`, { redirect: 'manual' })
  expect(opened.headers.get('set-cookie')).not.toMatch(/Secure/)
})

test.each([
  ['h2c', '/_sandbox/health'],
  ['websocket', '/tunnel/offered'],
])('over TLS, the offer %s changes nothing if it is not used', async (offered, path) => {
  await using sandbox = await runSandbox({ tls: true, isInContainer: false })
  const { cert } = sandbox.certificate!
  const answer = await ask(Number(new URL(sandbox.url).port), cert, path, {
    headers: { connection: 'Upgrade, close', upgrade: offered },
  })

  expect([answer.status, answer.text]).toEqual([
    200,
    expect.not.stringContaining('This sandbox speaks https'),
  ])
})

test('--tls serves https with a self-signed certificate, links and tunnels included', async () => {
  await using sandbox = await runSandbox({ tls: true, isInContainer: false })
  const { cert, file } = sandbox.certificate!
  const { port, protocol } = new URL(sandbox.url)
  expect([protocol, existsSync(file)]).toEqual(['https:', true])

  const created = await ask(Number(port), cert, '/api/v2/createSplitLink', {
    method: 'POST',
    headers: { token: shop.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 5, recipients: [{ token: courier.recipientToken, share: 30 }] }),
  })
  const { id, pay_link: payLink } = JSON.parse(created.text).data
  expect(payLink).toContain(`https://127.0.0.1:${port}/payment`)
  // The account's payment endpoint is a tunnel of the sandbox, so the webhook uses the sandbox's own TLS.
  const paid = await ask(Number(port), cert, `/_sandbox/v1/links/${id}/pay`, {
    method: 'POST',
    headers: { origin: `https://127.0.0.1:${port}` },
  })
  expect(JSON.parse(paid.text).deliveries).toMatchObject([{ state: 'delivered' }])
  await sandbox.close()
  expect(existsSync(file)).toBe(false)
})

test('startSandbox and connectSandbox work over TLS', async () => {
  await using sandbox = await startSandbox({ tls: true })
  const shopHere = await sandbox.createAccount()
  const { link, deliveries } = await shopHere.pay(await shopHere.createLink({ amount: 5 }))
  expect([new URL(sandbox.url).protocol, link.status, deliveries]).toEqual(['https:', 'paid', []])

  await using app = await startReceiver()
  await sandbox.tunnels.listen({ tunnel: 'flower-shop', forwardTo: app.url })
  const flowers = await sandbox.account('Flower Shop')
  const carried = await flowers.pay(await flowers.createLink({ amount: 5 }))
  expect(carried.deliveries).toMatchObject([{ state: 'delivered' }])
  expect(app.received).toHaveLength(1)

  await expect(sandbox.tunnels.listen({ tunnel: 'Flower', forwardTo: app.url })).rejects.toThrow(
    'is not the name of a tunnel. Use up to 63 lower-case letters',
  )
  await expect(connectSandbox(sandbox.url)).rejects.toThrow(
    /^The certificate of https:\S+ is not trusted: self-signed certificate\. It covers .*DNS:localhost.*, SHA-256 [0-9A-F:]{95}\. If it is the certificate of your sandbox, set NODE_EXTRA_CA_CERTS=<file>/,
  )
})

test.runIf(process.platform === 'linux')(
  'the error names an address that the certificate does not cover, the covered addresses, and what to do',
  async ({ folder }) => {
    await using sandbox = await runSandbox({
      host: '0.0.0.0',
      adminToken: 'open-sesame',
      tls: true,
      isInContainer: false,
    })
    const url = sandbox.url.replace('127.0.0.1', '127.0.0.2')
    const env = { NODE_EXTRA_CA_CERTS: sandbox.certificate!.file }
    const { stderr } = await runBuiltCli(['events', '--sandbox', url], { cwd: folder.path, env })
    expect(stderr).toMatch(
      /altnames: IP: 127\.0\.0\.2\. It covers .*127\.0\.0\.1.*\. Use one of those names, or start the sandbox with --host/,
    )
  },
)

test('the self-signed certificate is kept beside the database, and recreated if it does not fit', async ({
  folder,
}) => {
  const db = join(folder.path, 'team.db')
  const first = await selfSignedCertificate(db, ['localhost'])
  const again = await selfSignedCertificate(db, ['localhost', '127.0.0.1', '::1'])
  const other = await selfSignedCertificate(db, [NAME])

  expect([first.file, again.cert]).toEqual([`${db}.crt`, first.cert])
  expect(other.cert).not.toBe(first.cert)
  expect(new X509Certificate(other.cert).checkHost(NAME)).toBe(NAME)
  expect(readFileSync(`${db}.crt`, 'utf8')).toBe(other.cert)
  if (process.platform !== 'win32') expect(statSync(`${db}.key`).mode & 0o077).toBe(0)
  writeFileSync(`${db}.key`, 'nonsense')
  const third = await selfSignedCertificate(db, [NAME])
  expect(third.cert).not.toBe(other.cert)
  expect(readFileSync(`${db}.key`, 'utf8')).toBe(third.key)
  writeFileSync(`${db}.crt`, 'nonsense')
  expect((await selfSignedCertificate(db, ['localhost'])).cert).toMatch(/^-----BEGIN CERTIFICATE/)
})

test('plain HTTP on the port of https gets an explanation', async () => {
  await using sandbox = await runSandbox({ tls: true, isInContainer: false })
  const { port, host } = new URL(sandbox.url)
  const asked = plainRequest({ host: '127.0.0.1', port, path: '/_sandbox/v1/info' }).end()
  const [response] = await once(asked, 'response')

  expect([response.statusCode, JSON.parse(await text(response)).detail]).toEqual([
    400,
    `This sandbox speaks https. Use https://${host} instead.`,
  ])
  await expect(connectSandbox(`http://${host}`)).rejects.toThrow('This sandbox speaks https.')
})

test('https on the port of plain HTTP gets an explanation', async ({ sandbox }) => {
  const { host } = new URL(sandbox.url)
  await expect(connectSandbox(`https://${host}`)).rejects.toThrow(
    `The server at https://${host} does not speak TLS. Use http://${host} instead.`,
  )
})

test.each([
  ['sends nothing', ''],
  ['begins to speak TLS', '\x16\x03\x01'],
  ['begins to speak plain HTTP', 'GET / HT'],
])('a connection that %s does not delay the end of the sandbox', async (_what, begun) => {
  const sandbox = await runSandbox({ tls: true, isInContainer: false })
  const { port } = new URL(sandbox.url)
  const silent = connectSocket(Number(port), '127.0.0.1').on('error', () => {})
  await once(silent, 'connect')
  silent.write(Buffer.from(begun, 'latin1'))
  // This request is answered after the connection above has been accepted.
  await once(plainRequest({ host: '127.0.0.1', port, path: '/' }).end(), 'response')
  const closed = once(silent, 'close')
  await sandbox.close()
  await closed
})

test.each([
  ['nothing', ''],
  ['plain HTTP that never ends', 'GET / HTTP/1.1\r\nX-Slow: a'],
])('over TLS, a client that sends %s is disconnected', async (_what, begun) => {
  const certificate = await selfSignedCertificate(':memory:', ['localhost'])
  const server = await serve(new Hono(), '127.0.0.1', 0, certificate, { silenceMs: 100 })
  const silent = connectSocket(server.port, '127.0.0.1')
  await once(silent, 'connect')
  silent.write(begun)
  silent.resume()
  await once(silent, 'close')
  await server.close()
  await certificate.dispose()
})
