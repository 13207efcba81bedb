import { afterAll, beforeAll, describe, expect } from 'vitest'
import { listOperations } from '../support/document-checker.ts'
import { controlApi } from '../../server/control/control-api.ts'
import type { OperationObject } from '../../server/platform/openapi/document.ts'
import { calledRoutes, documents } from '../support/documents.ts'
import { listenAt } from '../support/listen-at.ts'
import { openSandbox, shop } from '../support/sandbox.ts'
import { startReceiver } from '../support/receiver.ts'
import { test } from '../support/test.ts'

/** Every operation of the document, as `<METHOD> <path>`. */
async function operations(): Promise<[name: string, operation: OperationObject][]> {
  const { document } = (await documents()).control
  return listOperations(document).map(({ method, path, operation }) => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ])
}

test('every route is documented with its summary, parameters, body and answers', async () => {
  // The routes are listed here, not called.
  const { routes } = controlApi({} as Parameters<typeof controlApi>[0])
  const told = new Map(await operations())
  const names = routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} /_sandbox/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`)

  for (const name of new Set(names)) {
    const { summary = '', parameters = [], responses = {} } = told.get(name) ?? {}
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map((one) => `{${one.name}}`)
    expect([name, summary], `${name} needs a describeRoute(), see server/README.md`).not.toEqual([name, ''])
    expect([name, inPath]).toEqual([name, name.match(/\{\w+\}/g) ?? []])
    expect([name, Object.keys(responses).some((status) => status < '300')]).toEqual([name, true])
  }
})

test('every parameter and every field of a body is described', async () => {
  for (const [name, { parameters = [], requestBody }] of await operations()) {
    const { properties = {} } = requestBody?.content['application/json']?.schema ?? {}
    const bare = [
      ...parameters.filter(({ description }) => description === undefined).map((one) => one.name),
      ...Object.keys(properties).filter((key) => properties[key]!.description === undefined),
    ]
    expect([name, bare]).toEqual([name, []])
  }
})

/** Routes that answer with files or sockets. No test calls them through `control`. */
const NOT_JSON = [
  'GET /_sandbox/v1/stream',
  'GET /_sandbox/v1/tunnels/{name}/listen',
  'GET /_sandbox/v1/report',
  'GET /_sandbox/v1/summary',
  'GET /_sandbox/v1/snapshots/{name}/file',
  'PUT /_sandbox/v1/snapshots/{name}/file',
  'GET /_sandbox/v1/tests/links/{ref}',
  'GET /_sandbox/v1/tests/events/{seq}',
]

/** `control` compares each answer with the document, so calling every route once is enough. */
describe('the answers of every route match the OpenAPI document', () => {
  // Other files of this worker may have called routes before.
  beforeAll(() => calledRoutes.clear())

  test('the answers about accounts match the OpenAPI document', async ({ sandbox }) => {
    const { control: ask } = sandbox
    const { answer } = await ask('POST', '/accounts', { name: 'Test 7' })
    await ask('GET', `/accounts/${answer.id}`)
    await ask('PATCH', `/accounts/${answer.id}`, { callbackUrls: ['https://shop.example/thanks'] })
    await ask('POST', `/accounts/${answer.id}/rotate`, { secret: 'apiKey' })
    await ask('POST', `/accounts/${answer.id}/reset`)
    await ask('DELETE', `/accounts/${answer.id}`)
    await ask('GET', '/accounts')
    await ask('GET', '/info')
    await ask('GET', '/guides?search=webhook')
    await ask('GET', '/invoices')
    await ask('GET', '/behaviors')
    await ask('PATCH', '/behaviors', { payId: 'distinct' })
    await ask('POST', '/faults', { on: 'webhook', script: 'drop,duplicate:2' })
    await ask('GET', '/faults')
    await ask('DELETE', '/faults/1')
    await ask('DELETE', '/faults')
    await ask('PUT', '/maps', { maps: [{ from: 'https://shop.example', to: 'http://localhost:3000' }] })
    await ask('PATCH', '/maps', { remove: ['https://shop.example'] })
    await ask('GET', '/maps')
    await ask('PUT', '/allowed-hosts', { allowedHosts: ['staging.example'] })
    await ask('PATCH', '/allowed-hosts', { remove: ['staging.example'] })
    await ask('GET', '/allowed-hosts')
    await ask('GET', '/checks/reach?url=https://shop.example/')
    await ask('POST', '/checks/probe', { to: `${sandbox.url}/tunnel/flower-shop` })
    await ask('POST', '/checks/receiver', { url: `${sandbox.url}/tunnel/flower-shop`, only: ['json'] })
    const result = { name: 'json', title: 'JSON', expected: 'a 2xx', seen: '500', why: 'It matters.' }
    const failed = { isCaller: false, url: `${sandbox.url}/tunnel/flower-shop`, options: {}, result }
    await ask('POST', '/tests/check', { ...failed, accountId: shop.id })
    const held = await ask('POST', `/checks/pay-ids?account=${shop.id}`)
    await ask('DELETE', `/checks/pay-ids/${String(held.answer.id)}?account=${shop.id}`)
    await ask('POST', '/targets/preview', { account: shop.id, paymentEndpoint: '0,9,x', callbackUrl: '0' })
    await ask('POST', '/seed/sample-story', {})
    await sandbox.rawControl('POST', '/import.har?name=empty.har', { log: { entries: [] } })
    await using app = await startReceiver(async (_received, response) => {
      const { pay_link: location } = await sandbox.createLink()
      response.writeHead(303, { location }).end()
    })
    await ask('POST', '/checks/caller', { url: app.url, only: ['normal-order'] })
  })

  test('the answers about tunnels match the OpenAPI document', async ({ sandbox }) => {
    const { control: ask } = sandbox
    await using _listener = await listenAt(sandbox.url, {
      tunnel: 'shop',
      forwardTo: sandbox.url,
      name: 'me',
    })
    await fetch(`${sandbox.url}/tunnel/shop`, { method: 'POST' })
    await ask('GET', '/tunnels')
    await ask('GET', '/tunnels/shop')
    await ask('PUT', '/tunnels/shop/answer', { status: 404, headers: [['x', 'y']], body: 'no', delayMs: 1 })
    await ask('GET', '/tunnels/shop/requests?limit=1')
    await ask('DELETE', '/tunnels/shop/requests')
    await ask('DELETE', '/tunnels/shop/listeners/me')
    await ask('GET', '/events/search?body=Order')
    await ask('GET', '/events?type=tunnel.changed,tunnel.cleared,tunnel.answered,listener.forgotten')
  })

  test('the answers about links, refunds and deliveries match the OpenAPI document', async ({ sandbox }) => {
    const { control: ask, call, createLink } = sandbox
    for (let links = 0; links < 4; links++) await createLink({ callback_url: 'https://shop.example/' })
    await createLink({ payment_endpoint: 'https://shop.example/hooks' })
    await ask('POST', '/links/1001/decline')
    await ask('POST', '/links/1001/pay', { method: 'bank-transfer' })
    await ask('POST', '/links/1001/reject-transfer')
    await ask('POST', '/links/1001/pay', { method: 'bank-transfer' })
    await ask('POST', '/links/1001/approve-transfer')
    await ask('PUT', '/links/1001/dispute')
    await ask('DELETE', '/links/1001/dispute')
    await ask('POST', '/links/1002/cancel')
    await ask('DELETE', '/links/1003')
    await ask('POST', '/links/1004/pay', { browser: 'closes' })
    await ask('POST', '/links/1005/pay')
    await call('refundPayment', { pay_id: 1001, refund_amount: 1 })
    await call('refundPayment', { pay_id: 1004, refund_amount: 1 })
    await ask('POST', '/refunds/1001/approve')
    await ask('POST', '/refunds/1004/reject')
    await ask('GET', '/refunds')
    await ask('GET', '/links')
    await ask('GET', '/links/pay:1001')
    const { answer } = await ask('GET', '/deliveries?state=held')
    await ask('POST', '/links/1001/forged-webhook', { forgery: 'user' })
    await ask('POST', '/deliveries/1/replay')
    await ask('POST', '/deliveries/allow', { host: 'other.example' })
    await ask('GET', '/deliveries/1')
    await ask('POST', `/deliveries/${answer.deliveries[0]!.id}/allow`, { wait: 'accepted' })
  })

  test('the answers about the clock, snapshots and events match the OpenAPI document', async ({
    sandbox,
  }) => {
    const { control: ask, createLink } = sandbox
    await createLink()
    await ask('POST', '/links/1001/pay')
    await ask('GET', '/clock')
    await ask('PUT', '/clock', { now: '2027-01-31T12:00:00+01:00', mode: 'frozen' })
    await ask('POST', '/clock/advance', { months: 1 })
    await ask('DELETE', '/clock')
    await ask('GET', '/events?limit=1000')
    await ask('GET', '/events/2')
    await ask('GET', '/diagnostics')
    await ask('GET', '/export.har')
    await ask('POST', '/events/wait', { match: { type: 'link.paid' } })
    await ask('POST', '/events/wait', { match: { type: 'link.cancelled' }, timeoutMs: 0 })
    await ask('POST', '/events/expect-none', { match: { type: 'link.cancelled' } })
    await ask('POST', '/events/expect-none', { match: { type: 'link.paid' } })
    await ask('POST', '/settle')
    await ask('POST', '/seed', { links: [{ account: shop.name, amount: 5, status: 'paid' }] })
    await ask('GET', '/seed')
    await ask('GET', '/seed/schema')
    await ask('POST', '/snapshots', { name: 'kept' })
    await ask('GET', '/snapshots')
    await ask('POST', '/reset')
    await ask('POST', '/reset/undo')
    await ask('POST', '/snapshots/kept/restore')
    await ask('DELETE', '/snapshots/kept')
  })

  afterAll(async () => {
    const succeeded = [...calledRoutes].filter((answered) => / 2\d\d$/.test(answered))
    const called = new Set(succeeded.map((answered) => answered.slice(0, -4).toLowerCase()))
    const uncalled = (await operations())
      .map(([name]) => name)
      .filter((name) => name.includes('/v1/') && !called.has(name.toLowerCase()) && !NOT_JSON.includes(name))
    expect(uncalled).toEqual([])
  })
})

test.each(['/_sandbox/openapi.json', '/docs/control'])(
  'the route %s is restricted like the control API',
  async (path) => {
    await using sandbox = await openSandbox({ adminToken: 'let-me-in' })
    const ask = async (headers: Record<string, string>) =>
      (await fetch(sandbox.url + path, { headers })).status

    expect(await ask({})).toBe(401)
    expect(await ask({ authorization: 'Bearer let-me-in' })).toBe(200)
    expect(await ask({ authorization: 'Bearer let-me-in', origin: 'http://evil.example' })).toBe(403)
  },
)

test.each(['/openapi.json', '/docs'])('the route %s is public like the v2 API', async (path) => {
  await using sandbox = await openSandbox({ adminToken: 'let-me-in' })
  expect((await fetch(sandbox.url + path)).status).toBe(200)
})
