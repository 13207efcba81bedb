import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { connectSandbox } from '../../server/package/index.ts'
import { runCli, startCli } from '../support/cli.ts'
import { freePort } from '../support/free-port.ts'
import { startMcp } from '../support/mcp.ts'
import { startRawReceiver, type RawReceived } from '../support/raw-receiver.ts'
import { startReceiver } from '../support/receiver.ts'
import { readReport } from '../support/report.ts'
import { openSandbox, recipients, shop, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const PASSWORD = 'gehe%40im+Üx'
const SENT = `Basic ${Buffer.from('shop:gehe@im+Üx').toString('base64')}`

/** Every spelling of the password that an output could contain, and the header, which anyone can decode. */
const SECRETS = [/gehe(%40|%2540|@)im/i, new RegExp(SENT.slice('Basic '.length).replace('+', '\\+'))]

/** The address as the user writes it. */
const secretly = (url: string): string => url.replace('//', `//shop:${PASSWORD}@`)

const authorizations = (received: readonly Pick<RawReceived, 'rawHeaders'>[]): (string | undefined)[] =>
  received.map(({ rawHeaders }) => {
    const index = rawHeaders.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'authorization')
    return index < 0 ? undefined : rawHeaders[index + 1]
  })

function expectNoPassword(...texts: readonly string[]): void {
  for (const text of texts) for (const secret of SECRETS) expect(text).not.toMatch(secret)
}

/** Everything that a sandbox records and exports, as text. */
async function recordsOf({ url, control }: OpenSandbox): Promise<string[]> {
  const { answer } = await control('GET', '/events?limit=500')
  const deliveries = await control('GET', '/deliveries')
  const events = await Promise.all(answer.events.map(({ seq }) => control('GET', `/events/${seq}`)))
  const har = await (await fetch(`${url}/_sandbox/v1/export.har`)).text()
  const report = readReport(await (await fetch(`${url}/_sandbox/v1/report`)).text())
  return [
    JSON.stringify(answer),
    JSON.stringify(deliveries.answer),
    // The journal contains the bytes of a call as the app has sent them.
    ...events
      .map((event) => JSON.stringify(event.answer))
      .filter((text) => !text.includes('"type":"api.request"')),
    har,
    JSON.stringify(report),
  ]
}

test('webhooks and redirects: links, accounts, replays and maps send the password, and show the user name', async ({
  folder,
  receiver,
}) => {
  const db = join(folder.path, 'sandbox.db')
  const target = secretly(receiver.url)
  const callback = secretly('http://127.0.0.1:9/done')
  const shown = receiver.url.replace('//', '//shop:…@')
  const options = { cwd: folder.path }
  await using first = await openSandbox({ db })
  await first.control('PATCH', `/accounts/${shop.id}`, { paymentEndpoint: target, webhookUrls: [target] })
  const named = await first.createLink({ payment_endpoint: `${target},0`, callback_url: callback })
  const plain = await first.createLink()
  const paid = await first.submit(named.pay_link, { method: 'card', outcome: 'pay' })
  await first.control('POST', `/links/${plain.id}/pay`)
  await first.settled()
  const records = await recordsOf(first)
  await first.close()
  await using second = await openSandbox({ db })
  const env = { PAYLINK_URL: second.url }
  const again = await runCli(['replay', '1'], { ...options, env })
  const elsewhere = await runCli(['replay', '1', '--to', secretly(`${receiver.origin}/other`)], {
    ...options,
    env,
  })
  const asShown = await runCli(['replay', '1', '--to', shown, '--json'], { ...options, env })
  const maps = await runCli(['maps', 'add', `http://127.0.0.1:9=${secretly(receiver.origin)}`], {
    ...options,
    env,
  })
  const mapped = await runCli(['replay', '1', '--to', 'http://127.0.0.1:9/mapped', '--json'], {
    ...options,
    env,
  })
  const listed = await runCli(['events', '--json'], { ...options, env })
  const accounts = await runCli(['accounts', '--json'], { ...options, env })

  expect(paid.headers.get('location')).toMatch(`${encodeURI(callback).replace('%2540', '%40')}?pay_id=`)
  expect(authorizations(receiver.received)).toEqual(Array(7).fill(SENT))
  expect(records[0]).toContain(`"target":"${shown}"`)
  expect(records[0]).toContain('"location":"http://shop:…@127.0.0.1:9/done')
  expect([again, elsewhere, asShown, maps, mapped].map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
  const runs = [again, elsewhere, asShown, maps, mapped, listed, accounts]
  expectNoPassword(
    ...records,
    ...(await recordsOf(second)),
    ...runs.flatMap(({ stdout, stderr }) => [stdout, stderr]),
  )
})

test('a target on the sandbox itself gets the Authorization, and an assistant does not see it', async ({
  sandbox,
}) => {
  const { id } = await sandbox.createLink({ payment_endpoint: secretly(`${sandbox.url}/tunnel/shop`) })
  await sandbox.control('POST', `/links/${id}/pay`)
  await sandbox.settled()
  await using mcp = await startMcp([], { PAYLINK_URL: sandbox.url })

  const explained = await mcp.call('explain_webhook', { link: String(id) })
  const listed = await mcp.call('events', { action: 'list' })

  const { answer } = await sandbox.control('GET', '/tunnels/shop/requests')
  expect(JSON.stringify(answer)).toContain(SENT)
  expect(explained.isError).toBe(false)
  expect(explained.text).toContain('shop:…@')
  expectNoPassword(explained.text, listed.text, mcp.output.stdout)
})

test('listen --forward-to: sends the password to the app, but keeps the Authorization of a request', async ({
  folder,
  sandbox,
}) => {
  await using app = await startRawReceiver()
  const to = secretly(`${app.origin}/hooks`)
  await using listener = startCli(['listen', 'shop', '--forward-to', to, '--sandbox', sandbox.url], {
    cwd: folder.path,
  })
  await listener.until(() => listener.errors.some((line) => line.startsWith('Listening')))

  await fetch(`${sandbox.url}/tunnel/shop`, { method: 'POST' })
  await fetch(`${sandbox.url}/tunnel/shop`, { method: 'POST', headers: { authorization: 'Bearer own' } })
  const down = startCli(
    [
      'listen',
      'down',
      '--forward-to',
      secretly(`http://127.0.0.1:${await freePort()}`),
      '--sandbox',
      sandbox.url,
    ],
    { cwd: folder.path },
  )
  await down.until(() => down.errors.length === 2)
  await down[Symbol.asyncDispose]()

  expect(authorizations(app.received)).toEqual([SENT, 'Bearer own'])
  expect(listener.errors.join('\n')).toContain(`posted to ${app.origin.replace('//', '//shop:…@')}/hooks.`)
  const { answer } = await sandbox.control('GET', '/tunnels')
  expectNoPassword(...listener.errors, ...down.errors, JSON.stringify(answer), ...(await recordsOf(sandbox)))
})

test('--upstream: sends the password with every call, and shows only the origin', async () => {
  await using service = await startRawReceiver((response) => response.end('{"ResponseCode":1}'))
  await using mirror = await openSandbox({ upstream: secretly(service.origin) })
  const call = (headers: Record<string, string>) =>
    fetch(`${mirror.url}/api/v2/createSplitLink`, {
      method: 'POST',
      headers: { token: shop.apiKey, ...headers },
      body: JSON.stringify({ amount: 100, recipients }),
    })

  await call({})
  await call({ authorization: 'Bearer own' })
  const info = await mirror.control('GET', '/info')

  expect(authorizations(service.received)).toEqual([SENT, 'Bearer own'])
  expect(info.answer.upstream).toBe(service.origin)
  expectNoPassword(JSON.stringify(info.answer), ...(await recordsOf(mirror)))
})

/** An app that requires a password for everything. Each order creates a link, whose webhooks are sent to the app. */
const startApp = (sandbox: OpenSandbox) =>
  startReceiver((received, response) => {
    const host = received.rawHeaders.findIndex((name) => name.toLowerCase() === 'host')
    const origin = `http://${received.rawHeaders[host + 1]}`
    const isOpen = authorizations([received])[0] === SENT
    if (!isOpen) response.writeHead(401).end()
    else if (received.path === '/order') response.writeHead(302, { location: '/pay' }).end()
    else if (received.path === '/pay') void pay()
    else if (received.path.startsWith('/state')) response.end('{"status":"open"}')
    else response.end()

    async function pay(): Promise<void> {
      const body = { amount: 100, recipients, payment_endpoint: secretly(`${origin}/hook`) }
      const { envelope } = await sandbox.call<{ pay_link: string }>('createSplitLink', body)
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<a href="${envelope.data?.pay_link}">Pay</a>`)
    }
  })

test('check: sends the password to the receiver, the page of an order, its state and the targets of its link', async ({
  folder,
  sandbox,
}) => {
  await using app = await startApp(sandbox)
  const orders = [
    '--order-url',
    secretly(`${app.origin}/pay`),
    '--state-url',
    secretly(`${app.origin}/state/{id}`),
  ]
  const files = ['--junit', 'check.xml', '--markdown', 'check.md', '--tests', 'tests', '--details']
  const options = { cwd: folder.path, env: { PAYLINK_URL: sandbox.url } }

  const run = await runCli(['check', secretly(app.url), '--only', 'json', ...orders, ...files], options)

  expect(new Set(app.received.map(({ path }) => path.replace(/\d+/, 'n')))).toEqual(
    new Set(['/pay', '/hook', '/state/n']),
  )
  expect(new Set(authorizations(app.received))).toEqual(new Set([SENT]))
  const written = ['check.xml', 'check.md', 'tests/json.test.ts', 'tests/json.sh']
  const texts = written.map((name) => readFileSync(join(folder.path, name), 'utf8'))
  expect(texts[2]).toContain('shop:…@')
  expectNoPassword(run.stdout, run.stderr, ...texts, ...(await recordsOf(sandbox)))
})

test('check --caller: opens the pages of the app with the password, and follows its redirects', async ({
  folder,
  sandbox,
}) => {
  await using app = await startApp(sandbox)
  const orderUrl = secretly(`${app.origin}/order`)
  const options = { cwd: folder.path, env: { PAYLINK_URL: sandbox.url } }

  const run = await runCli(
    ['check', '--caller', '--order-url', orderUrl, '--only', 'refused', '--details'],
    options,
  )

  expect(new Set(app.received.map(({ path }) => path))).toEqual(new Set(['/order', '/pay']))
  expect(new Set(authorizations(app.received))).toEqual(new Set([SENT]))
  expectNoPassword(run.stdout, run.stderr, ...(await recordsOf(sandbox)))
})

test('calibrate --target: sends the password with every call', async ({ folder }) => {
  await using service = await startRawReceiver((response) => response.writeHead(500).end('down'))
  const args = [
    'calibrate',
    '--target',
    secretly(service.origin),
    '--key-env',
    'DEV_KEY',
    '--yes',
    '--rate',
    '999999/s',
    '--max-calls',
    '2',
  ]

  const run = await runCli(args, { cwd: folder.path, env: { DEV_KEY: 'devSomeKeyOfSomebody01' } })

  expect(service.received.length).toBeGreaterThan(0)
  expect(new Set(authorizations(service.received))).toEqual(new Set([SENT]))
  expectNoPassword(run.stdout, run.stderr)
})

test.for<[args: string[], env: Record<string, string>, says: string]>([
  [
    ['events'],
    { PAYLINK_URL: secretly('http://127.0.0.1:4400') },
    'PAYLINK_URL is http://shop:…@127.0.0.1:4400. Leave out the user name and password, as in http://127.0.0.1:4400: a sandbox takes an admin token. Pass --admin-token, or set PAYLINK_ADMIN_TOKEN.',
  ],
  [
    ['events', '--sandbox', secretly('http://127.0.0.1:4400')],
    {},
    '--sandbox is http://shop:…@127.0.0.1:4400. Leave out the user name and password, as in http://127.0.0.1:4400: a sandbox takes an admin token. Pass --admin-token, or set PAYLINK_ADMIN_TOKEN.',
  ],
  [
    ['start', '--public-url', secretly('https://pay.example')],
    {},
    '--public-url is https://shop:…@pay.example. Leave out the user name and password, as in https://pay.example: the sandbox asks for no password there. Set an admin token to protect it.',
  ],
  [
    ['start', '--upstream', secretly('https://dev.pay.example/api')],
    {},
    '--upstream is https://shop:…@dev.pay.example/api. It must be an address like https://dev.pay.example, without a path.',
  ],
  [
    ['start', '--upstream', 'https://shop:gehe@im/x@dev.pay.example'],
    {},
    '--upstream is https://shop:…@im/x@dev.pay.example. It must be an address like https://dev.pay.example, without a path.',
  ],
  [
    ['start', '--map', `${secretly('https://shop.example')}=http://localhost:3000`],
    {},
    'without user name and password, like https://shop.example: those of the mapped address are kept',
  ],
  [['listen', 'shop', '--forward-to', 'ftp://shop:gehe@im@host'], {}, '--forward-to is ftp://shop:…@host.'],
])(
  '%j: refuses user name and password with the reason, and does not repeat the password',
  async ([args, env, says], { folder }) => {
    const { code, stdout, stderr } = await runCli(args, { cwd: folder.path, env })

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(says)
    expectNoPassword(stderr)
  },
)

test('connectSandbox refuses user name and password, and names the admin token', async () => {
  await expect(connectSandbox(secretly('http://127.0.0.1:4400'))).rejects.toThrow(
    'http://shop:…@127.0.0.1:4400 has a user name or a password, but a sandbox takes neither. Leave them out, and pass its admin token as adminToken.',
  )
})
