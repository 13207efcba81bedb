import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { connectSandbox } from '../../server/package/index.ts'
import { version } from '../../server/platform/system/version.ts'
import { runCli } from '../support/cli.ts'
import { freePort } from '../support/free-port.ts'
import { issueCertificate } from '../support/issue-certificate.ts'
import { newSchema, postgresUrl, query } from '../support/postgres.ts'
import { startBuiltCli } from '../support/process.ts'
import { startReplicas } from '../support/replicas.ts'
import { callsOf, recipients, shop, type OpenSandbox } from '../support/sandbox.ts'
import { sendRaw } from '../support/send-raw.ts'
import { followStream } from '../support/follow-stream.ts'
import { startServer } from '../support/start-postgres.ts'
import { test } from '../support/test.ts'

test('a second process forwards calls and streams to the first', async ({ folder }) => {
  await using replicas = await startReplicas(folder.path, 2)
  const [leader, follower] = replicas.all
  expect(leader!.lines).toContain('  Replica       leads')
  expect(follower!.lines).toEqual([
    `paylink-sandbox ${version}`,
    '',
    `  Inspector     ${follower!.url}/`,
    `  API           ${follower!.url}/api/v2/<operation>`,
    `  Control API   ${follower!.url}/_sandbox/v1/info`,
    `  Documents     ${follower!.url}/docs`,
    expect.stringMatching(/^  Database      postgres:/),
    `  Replica       forwards to the leader at ${leader!.url}`,
    '  Accounts      in the inspector, and in the output of the leader',
    '',
    `Sandbox listening on ${follower!.url}`,
  ])
  await using stream = await followStream(follower!.url)

  const { createLink } = callsOf(follower!.url)
  const link = await createLink({ recipient_note: 'through the follower' })
  expect(link.pay_link.startsWith(`${follower!.url}/`)).toBe(true)

  const { control } = callsOf(leader!.url)
  const { answer } = await control('GET', '/links')
  expect(answer.links).toMatchObject([{ id: link.id, note: 'through the follower' }])
  await stream.until(() => JSON.stringify(stream.messages).includes('through the follower'))

  const seen = await Promise.all(
    replicas.all.map(async ({ url }) => (await fetch(`${url}/_sandbox/ready`)).json()),
  )
  expect(seen).toMatchObject([
    { status: 'ready', replica: { role: 'leader', leader: leader!.url } },
    { status: 'ready', replica: { role: 'follower', leader: leader!.url } },
  ])
  const health = async (url: string) =>
    (await runCli(['health', '--sandbox', url], { cwd: folder.path })).stdout
  expect(await health(follower!.url)).toMatch(
    new RegExp(`is ready \\(PostgreSQL [\\d.]+, follows ${leader!.url}\\)\n$`),
  )
  expect(await health(leader!.url)).toMatch(/ is ready \(PostgreSQL [\d.]+, leads, reads take \d+ ms\)\n$/)
})

test('each replica reports its own metrics, to callers with the admin token', async ({ folder }) => {
  await using replicas = await startReplicas(folder.path, 2, ['--admin-token', 'open-sesame'])
  const [leader, follower] = replicas.all
  const metricsOf = async (url: string): Promise<string> => {
    expect((await fetch(`${url}/_sandbox/metrics`)).status).toBe(401)
    const response = await fetch(`${url}/_sandbox/metrics`, {
      headers: { authorization: 'Bearer open-sesame' },
    })
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    return response.text()
  }
  await callsOf(follower!.url).createLink()

  expect(await metricsOf(leader!.url)).toMatch(
    /^paylink_calls_total\{operation="createSplitLink",status="200"\} 1$[^]*^paylink_replica_followers 1$[^]*^paylink_leader 1$/m,
  )
  const own = await metricsOf(follower!.url)
  expect(own).toMatch(/^paylink_leader 0$/m)
  expect(own).not.toContain('paylink_calls_total')

  await leader!.end('SIGTERM')
  await expect.poll(() => metricsOf(follower!.url)).toMatch(/^paylink_leader 1$/m)
})

test('a leader that stops does not refuse its own webhooks, but leaves them to the next leader', async ({
  folder,
}) => {
  await using replicas = await startReplicas(folder.path, 2)
  const [leader, follower] = replicas.all
  const { createLink, control } = callsOf(follower!.url)
  await control('PUT', '/tunnels/flower-shop/answer', { status: 200, delayMs: 500 })
  for (let count = 0; count < 4; count++) {
    const { id } = await createLink()
    await control('POST', `/links/${id}/pay`, { method: 'card', wait: 'accepted' })
  }
  await leader!.end('SIGTERM')
  await control('POST', '/settle', {})

  const { answer } = await control('GET', '/deliveries')
  const results = answer.deliveries.map(({ state, attempts }) => [
    state,
    ...attempts.map(({ status }) => status),
  ])
  expect(results).toEqual(Array.from({ length: 4 }, () => ['delivered', 200]))
})

test('health reports replicas of another version', async ({ folder }) => {
  await using replicas = await startReplicas(folder.path, 2)
  const [leader, follower] = replicas.all
  const schema = `"${replicas.schema.schema}"`
  const health = async (url: string) =>
    (await runCli(['health', '--sandbox', url], { cwd: folder.path })).stdout
  const skew = `Its replicas run the versions 0.0.1 and ${version}. Restart those of the older version.`
  expect(await health(leader!.url)).not.toContain(skew)

  await query(postgresUrl ?? '', `update ${schema}."follower" set "version" = '0.0.1'`)
  expect(await health(leader!.url)).toContain(skew)

  await query(postgresUrl ?? '', `update ${schema}."leader" set "version" = '0.0.1'`)
  await expect.poll(() => health(follower!.url)).toContain(skew)
  const { stdout } = await runCli(['health', '--sandbox', follower!.url, '--json'], { cwd: folder.path })
  expect(JSON.parse(stdout)).toEqual({
    url: follower!.url,
    ready: true,
    reason: null,
    version,
    database: expect.stringMatching(/^PostgreSQL /),
    replica: { role: 'follower', leader: leader!.url, versions: ['0.0.1', version] },
    lagMs: null,
    freeBytes: null,
  })
})

test('a follower changes neither header fields, nor a chunked body, nor a broken answer', async ({
  folder,
}) => {
  await using replicas = await startReplicas(folder.path, 2)
  const [leader, follower] = replicas.all
  const { control } = callsOf(leader!.url)
  const body = '{"amount":-1}'
  const head = [
    'POST /api/v2/createSplitLink HTTP/1.1',
    'hOst: pay.example',
    'X-Forwarded-Proto: https',
    'Keep-Alive: timeout=9',
    `token: ${shop.apiKey}`,
    'Content-TYPE: application/json',
    'Transfer-Encoding: chunked',
    'Connection: close',
  ]
  const answer = await sendRaw(
    follower!.url,
    `${head.join('\r\n')}\r\n\r\n5\r\n${body.slice(0, 5)}\r\n`,
    `${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`,
  )
  expect(String(answer)).toMatch(/^HTTP\/1.1 200 OK\r\n/)
  const { headers, content } = await lastCall(control)
  expect(content).toBe(body)
  expect(headers).toEqual([
    ['hOst', 'pay.example'],
    ['X-Forwarded-Proto', 'https'],
    ['token', shop.apiKey],
    ['Content-TYPE', 'application/json'],
    ['Transfer-Encoding', 'chunked'],
    ['Connection', 'keep-alive'],
  ])

  await control('POST', '/faults', { on: 'api', script: 'truncate' })
  const response = await fetch(`${follower!.url}/api/v2/createSplitLink`, {
    method: 'POST',
    headers: { token: shop.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 100, recipients }),
  })
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
})

test('a follower does not forward a request that another replica has forwarded', async ({ folder }) => {
  await using replicas = await startReplicas(folder.path, 2)
  const [, follower] = replicas.all
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AA==\r\n'
  for (const more of ['Connection: close\r\n', upgrade]) {
    const head = `GET /_sandbox/v1/stream HTTP/1.1\r\nHost: ${new URL(follower!.url).host}\r\n`
    const answer = await sendRaw(follower!.url, `${head}Sandbox-Replica: forwarded\r\n${more}\r\n`)
    expect(String(answer)).toMatch(/^HTTP\/1.1 503 .*\r\nSandbox-Replica: not-leading\r\n/s)
  }
})

test('replicas with the certificate of an authority forward to each other over TLS', async ({ folder }) => {
  await issueCertificate(folder.path, 'pay.dev.example', -1, 30, false)
  const files = ['--tls-cert', 'pay.dev.example.crt', '--tls-key', 'pay.dev.example.key']
  await using replicas = await startReplicas(folder.path, 2, files)
  const [leader, follower] = replicas.all
  const cert = readFileSync(join(folder.path, 'pay.dev.example.crt'), 'utf8')
  await using sandbox = await connectSandbox(follower!.url, { certificate: cert })
  expect((await sandbox.info()).replica).toEqual({
    role: 'leader',
    leader: leader!.url,
    followers: [follower!.url],
  })
})

test('a follower that cannot reach the leader reports it', async ({ folder }) => {
  await using replicas = await startReplicas(folder.path, 0)
  const elsewhere = `http://127.0.0.1:${await freePort()}`
  const leader = await replicas.start(undefined, '--replica-url', elsewhere)
  await using follower = startBuiltCli(
    ['--port', '0', '--replicas', '--quiet', '--db', replicas.schema.url],
    { cwd: folder.path },
  )
  await follower.until(() => follower.lines.length > 0)
  const response = await fetch(`${follower.lines[0]!.replace(/^.* /, '')}/api/v2/createLink`, {
    method: 'POST',
  })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await response.json()).toMatchObject({
    detail: `This replica cannot reach the leader at ${elsewhere}. Nothing was done. Start the leader with a --replica-url where the replicas can reach it.`,
  })
  expect((await fetch(`${leader.url}/_sandbox/ready`)).status).toBe(200)
})

test('replicas that have lost the database server report it in answers and in their output', async ({
  folder,
}) => {
  const server = await startServer()
  const schema = { ...newSchema(server.url), [Symbol.asyncDispose]: async () => undefined }
  await using replicas = await startReplicas(folder.path, 2, [], schema).finally(server.stop)

  for (const { url, errors } of replicas.all) {
    const reason = async (): Promise<string> =>
      ((await (await fetch(`${url}/_sandbox/ready`)).json()) as { reason: string }).reason
    await expect
      .poll(reason)
      .toBe(
        'The sandbox cannot use its database: the connection to the database server was lost. Make sure that the server runs and can be reached (the sandbox reconnects by itself).',
      )
    await expect
      .poll(() => errors.join('\n'))
      .toMatch(/^Database .* cannot be used: the connection to the database server/m)
  }
})

test('a waiting replica does not become leader if another version has written the schema in the meantime', async ({
  folder,
}) => {
  await using replicas = await startReplicas(folder.path, 1)
  await using follower = startBuiltCli(['--port', '0', '--replicas', '--db', replicas.schema.url], {
    cwd: folder.path,
  })
  await follower.until(() => follower.lines.some((line) => line.startsWith('Sandbox listening')))
  await query(postgresUrl ?? '', `update "${replicas.schema.schema}"."schemaVersion" set "version" = '0'`)
  await replicas.all[0]!.end('SIGTERM')
  expect(await follower.closed).toBe(2)
  expect(follower.errors.at(-1)).toMatch(/was written by another version of paylink-sandbox/)
})

/** The newest call in the journal, as it arrived. */
async function lastCall(control: OpenSandbox['control']) {
  const { answer } = await control('GET', '/events?limit=1000')
  const seq = answer.events.findLast(({ type }) => type === 'api.request')!.seq
  const found = await control('GET', `/events/${seq}`)
  const { headers, body } = found.answer.exchange!.request
  return { headers, content: body.content }
}
