import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createSecureServer, createServer as createHttp2 } from 'node:http2'
import { createServer as createHttps, type ServerOptions } from 'node:https'
import { createServer as createNet, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { expect } from 'vitest'
import { connectSandbox } from '../../../server/package/index.ts'
import { spawnSandbox } from '../../support/process.ts'
import { test } from '../../support/test.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Issues a certificate for a name, valid for some days from today on. */
async function issue(name: string, authority?: Issued, from = -1, to = 1): Promise<Issued> {
  const isAuthority = name.includes(' ')
  const issued = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() + from * DAY_MS),
    notAfterDate: new Date(Date.now() + to * DAY_MS),
    ...(authority && { ca: authority }),
    extensions: isAuthority
      ? [{ name: 'basicConstraints', cA: true }]
      : [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
  })
  return { cert: issued.cert, key: issued.private }
}

interface Issued {
  readonly cert: string
  readonly key: string
}

const https = (options: ServerOptions) => createHttps(options, (_request, response) => response.end('ok'))

test('a webhook that fails because of TLS says what is wrong and what to do', async ({ folder }) => {
  const [known, unknown] = [await issue('Known authority'), await issue('Unknown authority')]
  const authorities = join(folder.path, 'authorities.pem')
  writeFileSync(authorities, known.cert)
  const right = await issue('localhost', known)
  const receivers: readonly [protocol: string, Server, problem: RegExp, remedy: string][] = [
    ['https', https(await issue('localhost')), /^its certificate is self-signed/, 'NODE_EXTRA_CA_CERTS'],
    ['https', https(await issue('localhost', unknown)), /unknown authority/, 'mkcert -CAROOT'],
    [
      'https',
      https(await issue('localhost', known, -2, -1)),
      /^its certificate has expired$/,
      'new certificate',
    ],
    ['https', https(await issue('localhost', known, 1, 2)), /^its certificate is not valid yet$/, 'clock'],
    [
      'https',
      https(await issue('shop.test', known)),
      /^its certificate covers DNS:shop\.test, not localhost$/,
      'issue one for this name',
    ],
    ['https', createServer(), /^it does not answer with TLS$/, 'Use http://'],
    [
      'https',
      createNet((socket) => socket.end('SSH-2.0-x\r\n')),
      /^it does not answer with TLS$/,
      'Use http://',
    ],
    ['https', createSecureServer(right), /^it accepts HTTP\/2 only$/, 'allowHTTP1'],
    ['http', createHttp2(), /^it answers with HTTP\/2 only$/, 'allowHTTP1'],
    [
      'https',
      https({ ...right, requestCert: true, rejectUnauthorized: true }),
      /^it requires a client certificate$/,
      'without a client certificate',
    ],
    [
      'https',
      https({ ...right, requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' }),
      /^it ended the TLS handshake: .*handshake failure$/,
      'client certificate',
    ],
    [
      'https',
      https({ ...right, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
      /^it accepts only TLS versions that are too old$/,
      'TLS 1.2 or 1.3',
    ],
    [
      'https',
      createNet((socket) => socket.once('data', () => socket.resetAndDestroy())),
      /^it closed the connection during the TLS handshake$/,
      'log of the server',
    ],
    [
      'https',
      createNet((socket) => socket.once('data', () => socket.end())),
      /^it closed the connection during the TLS handshake$/,
      'log of the server',
    ],
  ]
  const env = { NODE_EXTRA_CA_CERTS: authorities }
  await using sandbox = await spawnSandbox(['--port', '0', '--db', ':memory:'], { cwd: folder.path, env })
  const handle = await connectSandbox(sandbox.url)

  for (const [protocol, server, problem, remedy] of receivers) {
    await using receiver = await listen(server)
    const account = await handle.createAccount()
    const paymentEndpoint = `${protocol}://localhost:${receiver.port}/webhook`
    const link = await account.createLink({ amount: 1, paymentEndpoint })

    const { deliveries } = await account.pay(link)

    expect(deliveries[0]!.attempts[0]).toMatchObject({ status: null, error: expect.stringMatching(problem) })
    const [finding] = await account.diagnostics()
    expect(finding).toMatchObject({ code: 'receiverTls', fix: expect.stringContaining(remedy) })
  }

  const account = await handle.createAccount()
  await using secure = await listen(https(right))
  await account.pay(
    await account.createLink({ amount: 1, paymentEndpoint: `http://localhost:${secure.port}/webhook` }),
  )
  expect(await account.diagnostics()).toMatchObject([
    { code: 'receiverGone', fix: expect.stringContaining('write https:// in the target') },
  ])

  await using trusted = await listen(https(right))
  const link = await account.createLink({ amount: 1, paymentEndpoint: `https://localhost:${trusted.port}/` })
  expect((await account.pay(link)).deliveries[0]!.state).toBe('delivered')
})

async function listen(server: Server) {
  for (const event of ['tlsClientError', 'sessionError']) server.on(event, () => {})
  server.on('connection', (socket) => socket.on('error', () => {}))
  server.listen(0, 'localhost')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}
