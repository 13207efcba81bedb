import { expect } from 'vitest'
import { openPage } from '../support/browser.ts'
import { listenAt } from '../support/listen-at.ts'
import { startRawReceiver } from '../support/raw-receiver.ts'
import { openSandbox, shop, type OpenSandbox } from '../support/sandbox.ts'
import { parseRawAnswer, sendRaw } from '../support/send-raw.ts'
import { test } from '../support/test.ts'

/** Tries everything that the inspector may do, and writes the results into the title of the page. */
const ATTACK = `<!doctype html><script>
const attempt = async (run) => { try { return await run() } catch (error) { return error.name } }
;(async () => {
  document.title = JSON.stringify({
    origin,
    events: await attempt(async () => (await fetch('/_sandbox/v1/events')).status),
    reset: await attempt(async () => (await fetch('/_sandbox/v1/reset', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).status),
    cookie: await attempt(() => document.cookie),
    storage: await attempt(() => localStorage.length),
    worker: await attempt(async () => (await navigator.serviceWorker.register(location.href)).scope),
  })
})()
</script>`

const FOREIGN_FIELDS = [
  'Set-Cookie',
  'paylink_admin=stolen; Path=/',
  'Set-Cookie',
  'shop=1',
  'Clear-Site-Data',
  '"*"',
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Allow-Credentials',
  'true',
  'Service-Worker-Allowed',
  '/',
  'Strict-Transport-Security',
  'max-age=31536000',
  'Alt-Svc',
  'h3=":443"',
  'Timing-Allow-Origin',
  '*',
  'NEL',
  '{"report_to":"shop","max_age":60}',
  'Report-To',
  '{"group":"shop","max_age":60,"endpoints":[{"url":"https://shop.example/"}]}',
  'Reporting-Endpoints',
  'shop="https://shop.example/"',
  'X-Of-The-Service',
  'kept',
]

const startService = (type = 'text/html') =>
  startRawReceiver((response) => {
    response.writeHead(404, ['Content-Type', type, ...FOREIGN_FIELDS])
    response.end(ATTACK)
  })

/** Opens an address in a browser, and returns what the attack could do, with the header fields. */
async function attack(address: string) {
  const page = await openPage()
  const response = (await page.goto(address))!
  await page.waitForFunction(() => document.title.startsWith('{'))
  return {
    results: JSON.parse(await page.title()) as unknown,
    headers: await response.allHeaders(),
    cookies: (await page.context().cookies()).map(({ name }) => name),
    page,
  }
}

const POWERLESS = {
  origin: 'null',
  events: 'TypeError',
  reset: 'TypeError',
  cookie: 'SecurityError',
  storage: 'SecurityError',
  worker: expect.stringMatching(/Error$/),
}

test('a page of the upstream can do nothing in a browser that opens it', async () => {
  await using service = await startService()
  await using mirror = await openSandbox({ upstream: service.origin })

  const { results, headers, cookies, page } = await attack(`${mirror.url}/api/v2/<script>`)

  expect(results).toEqual(POWERLESS)
  expect(headers).toMatchObject({
    'content-security-policy': 'sandbox allow-scripts allow-forms',
    'x-content-type-options': 'nosniff',
    'x-of-the-service': 'kept',
  })
  expect(Object.keys(headers).toSorted()).toEqual([
    'connection',
    'content-length',
    'content-security-policy',
    'content-type',
    'date',
    'keep-alive',
    'set-cookie',
    'x-content-type-options',
    'x-of-the-service',
  ])
  expect(cookies).toEqual(['shop'])
  await page.goto(mirror.url)
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
})

test('a page behind a tunnel can do nothing in a browser that opens it', async ({ sandbox }) => {
  await using service = await startService()
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: service.origin })

  const { results, cookies } = await attack(`${sandbox.url}/tunnel/shop/<script>`)

  expect(results).toEqual(POWERLESS)
  expect(cookies).toEqual(['shop'])
})

test('a browser gets no service worker from the upstream or from a tunnel', async ({ sandbox }) => {
  await using service = await startService('text/javascript')
  await using mirror = await openSandbox({ upstream: service.origin })
  await using _listener = await listenAt(sandbox.url, { tunnel: 'shop', forwardTo: service.origin })

  const answers = await Promise.all(
    [`${mirror.url}/api/v2/worker.js`, `${sandbox.url}/tunnel/shop/worker.js`].map((address) =>
      fetch(address, { headers: { 'service-worker': 'script' } }),
    ),
  )

  expect(answers.map(({ status }) => status)).toEqual([403, 403])
})

test('an app gets the answer of the upstream unchanged, and the journal keeps it', async () => {
  await using service = await startService()
  await using mirror = await openSandbox({ upstream: service.origin })

  const answer = parseRawAnswer(
    await sendRaw(mirror.url, 'GET /api/v2/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
  )
  const { answer: journal } = await mirror.control('GET', '/events?type=api.request')
  const { answer: event } = await mirror.control('GET', `/events/${journal.events[0]!.seq}`)

  const fields = FOREIGN_FIELDS.flatMap((name, index) =>
    index % 2 ? [] : [[name, FOREIGN_FIELDS[index + 1]!]],
  )
  expect(answer.headers.slice(1, fields.length + 1)).toEqual(
    fields.map(([name, value]) => `${name}: ${value}`),
  )
  expect(answer.headers.join('\n')).not.toMatch(/content-security-policy|x-content-type-options/i)
  expect(answer.bytes.toString()).toBe(ATTACK)
  expect(event.exchange!.response!.headers).toEqual(expect.arrayContaining(fields))
})

const MARKER = '<img src=x onerror=foreign()>'

/** Puts the marker into every place where an app, a receiver or a caller can put a text. */
async function fillWithForeignTexts(sandbox: OpenSandbox): Promise<Readonly<Record<string, string>>> {
  await using receiver = await startRawReceiver((response) =>
    response.writeHead(500, { 'content-type': 'text/html' }).end(MARKER),
  )
  const link = await sandbox.createLink({
    recipient_note: MARKER,
    payment_endpoint: receiver.origin,
    callback_url: `http://localhost:1/?${encodeURIComponent(MARKER)}`,
  })
  await sandbox.control('POST', `/links/${link.id}/pay`)
  await sandbox.call('refundPayment', { pay_id: link.id, refund_amount: 1 })
  await sandbox.control('PUT', '/tunnels/foreign/answer', {
    headers: [['content-type', 'text/html']],
    body: MARKER,
  })
  await fetch(`${sandbox.url}/tunnel/foreign/${encodeURIComponent(MARKER)}`, { method: 'POST', body: MARKER })
  await sandbox.control('POST', '/snapshots', { name: 'foreign' })
  const { answer } = await sandbox.control('GET', '/events?type=delivery.attempted')
  return {
    id: shop.id,
    ref: String(link.id),
    seq: String(answer.events[0]!.seq),
    payId: String(link.id),
    name: 'foreign',
    listener: 'nobody',
  }
}

/** Routes that pass on the bytes of others unchanged. All other routes must turn them into text or JSON. */
const FOREIGN_ROUTES = ['/tunnel/foreign']

test('no route serves foreign text as a page of the sandbox', async ({ sandbox }) => {
  const values = await fillWithForeignTexts(sandbox)
  const link = await sandbox.createLink({ recipient_note: MARKER })
  const routesOf = async (document: string) => {
    const { paths } = (await (await fetch(sandbox.url + document)).json()) as {
      paths: Record<string, Record<string, unknown>>
    }
    return Object.entries(paths).flatMap(([path, methods]) => ('get' in methods ? [path] : []))
  }
  const routes = [
    ...(await routesOf('/openapi.json')),
    ...(await routesOf('/_sandbox/openapi.json')),
    ...FOREIGN_ROUTES,
    '/',
    '/docs',
    '/docs/control',
    '/docs/guides',
    `/api/v2/${encodeURIComponent(MARKER)}`,
    `/tunnel/${encodeURIComponent(MARKER)}`,
    `/payment/${encodeURIComponent(MARKER)}`,
    `/${encodeURIComponent(MARKER)}`,
    link.pay_link,
    `${link.pay_link}&outcome=${encodeURIComponent(MARKER)}`,
  ].filter((path) => path !== '/_sandbox/v1/stream')

  const unsafe: unknown[] = []
  for (const route of routes) {
    const path = route.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '1')
    const response = await fetch(new URL(path, sandbox.url), {
      headers: { accept: 'text/html', 'sec-fetch-dest': 'document' },
    })
    const text = await response.text()
    const type = response.headers.get('content-type') ?? ''
    const policy = response.headers.get('content-security-policy') ?? ''
    const isActive = /html|xml|svg|javascript/.test(type) && !isAttachment(response)
    const isSandboxed = policy.startsWith('sandbox ')
    const names = [...response.headers.keys()].filter((name) => /^access-control|clear-site-data/.test(name))
    const isSafe =
      names.length === 0 &&
      response.headers.get('x-content-type-options') === 'nosniff' &&
      (FOREIGN_ROUTES.includes(route) ? isSandboxed : !isActive || !text.includes(MARKER))
    if (!isSafe) unsafe.push({ route, type, policy, names })
  }

  expect(routes.length).toBeGreaterThan(30)
  expect(unsafe).toEqual([])
})

const isAttachment = ({ headers }: Response): boolean =>
  (headers.get('content-disposition') ?? '').startsWith('attachment')
