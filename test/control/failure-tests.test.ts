import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { expect } from 'vitest'
import { runSandbox } from '../../server/runtime/sandbox.ts'
import { NOON, openSandbox, shop, type OpenSandbox } from '../support/sandbox.ts'
import { startReceiver } from '../support/receiver.ts'
import { test } from '../support/test.ts'

async function readTest({ url }: Pick<OpenSandbox, 'url'>, path: string) {
  const response = await fetch(`${url}/_sandbox/v1/tests/${path}`)
  const text = await response.text()
  return { status: response.status, text, file: response.headers.get('content-disposition') }
}

const readEvents = async ({ control }: OpenSandbox, filter: string) =>
  (await control('GET', `/events?${filter}`)).answer.events

/** The lines of the test, without its preparation. */
const stepsIn = (text: string): string[] => {
  const lines = text.split('\n')
  return lines.slice(lines.findIndex((line) => line.startsWith('test('))).map((line) => line.trim())
}

test('a payment becomes a test that repeats everything that happened to it', async () => {
  await using sandbox = await openSandbox({ behaviors: { payId: 'distinct' } })
  await using receiver = await startReceiver((_received, response) => response.writeHead(500).end())
  await sandbox.control('PUT', '/clock', { mode: 'frozen', now: NOON })
  const { id } = await sandbox.createLink({
    amount: 12.5,
    payment_endpoint: receiver.url,
    callback_url: `${receiver.url}/thanks`,
    recipient_note: 'It\'s "urgent"',
  })
  const { payId } = (await sandbox.control('GET', `/links/${id}`)).answer
  await sandbox.control('POST', `/faults?account=${shop.id}`, {
    on: 'webhook',
    script: ['pass', 'drop'],
  })
  await sandbox.control('POST', `/links/${id}/decline`)
  await sandbox.control('POST', `/links/${id}/pay`, { browser: 'closes' })
  await sandbox.control('PUT', '/clock', { now: '2026-07-02T10:00:00.000Z' })
  await sandbox.call('sendWebhookViaPayId', { pay_ids: String(payId), status: 'Success' })
  await sandbox.settled()
  await sandbox.call('refundPayment', { pay_id: payId, refund_amount: 12.5, isFullRefund: true })
  await sandbox.control('POST', `/refunds/${payId}/approve`)

  const { text, file } = await readTest(sandbox, `links/${id}`)
  expect(file).toBe(`attachment; filename="payment-${payId}.test.ts"`)
  expect(text).toContain(`// Seen: Success to ${receiver.url}: 500`)
  expect(text).toContain("behaviors: { payId: 'distinct' },")
  expect(text).toContain(`clock: { mode: 'frozen', now: '${NOON}' },`)
  expect(text).toContain(`apiKey: '${shop.apiKey}',`)
  expect(text).toContain('note: "It\'s \\"urgent\\"",')
  expect(stepsIn(text)).toEqual([
    `test('payment ${payId}: every webhook is delivered', async () => {`,
    'await using sandbox = await startSandbox(options)',
    `const account = await sandbox.account('${shop.id}')`,
    'const link = await placeOrder(account)',
    'await account.decline(link)',
    "await account.pay(link, { browser: 'closes' })",
    "await sandbox.clock.freeze('2026-07-02T10:00:00.000Z')",
    "await account.faults.add({ on: 'webhook', script: ['drop'] })",
    "await account.call('sendWebhookViaPayId', { pay_ids: String(link.payId), status: 'Success' })",
    'await account.settled()',
    "expect(await account.call('refundPayment', { pay_id: link.payId, refund_amount: 12.5, isFullRefund: true })).toMatchObject({ ResponseCode: 1 })",
    'await account.refunds.approve(link)',
    'await account.settled()',
    'const deliveries = await account.deliveries({ link })',
    "expect(deliveries.filter(({ state }) => state !== 'delivered')).toEqual([])",
    '}, 300_000)',
    '',
  ])

  const events = await readEvents(sandbox, `link=${id}`)
  const paid = events.find(({ type }) => type === 'link.paid')!
  const until = stepsIn((await readTest(sandbox, `events/${paid.seq}`)).text)
  expect(until).toContain('await account.pay(link)')
  expect(until).not.toContain('await account.refunds.approve(link)')
})

test('the test of a call without a payment repeats this call', async ({ sandbox }) => {
  await sandbox.call('createLink', { amount: 'ten' })
  const events = await readEvents(sandbox, 'type=api.request')
  const { seq } = events[0]!

  const { text } = await readTest(sandbox, `events/${seq}`)
  expect(text).toContain(`["token", '${shop.apiKey}']`.replaceAll('"', "'"))
  expect(stepsIn(text)).toContain("const response = await fetch(sandbox.url + '/api/v2/createLink', {")
  const shell = (await readTest(sandbox, `events/${seq}?as=shell`)).text
  expect(shell).toContain(`curl "$PAYLINK_URL"'/api/v2/createLink'`)

  const other = await readTest(sandbox, 'events/1')
  expect([other.status, other.text]).toEqual([
    404,
    expect.stringContaining('neither a call nor part of a payment'),
  ])
})

test('a test of a call has no credentials except the key of an account of the sandbox', async ({
  sandbox,
}) => {
  const cookie = 'session=fake-session'
  await sandbox.call('createLink', { amount: 'ten' }, { cookie, authorization: 'Bearer fake' })
  await sandbox.call('createLink', { amount: 'ten' }, { token: 'keyOfAnotherService0000001' })
  const [known, unknown] = await readEvents(sandbox, 'type=api.request')

  for (const format of ['vitest', 'shell']) {
    const ofAccount = await readTest(sandbox, `events/${known!.seq}?as=${format}`)
    expect(ofAccount.text).toContain(shop.apiKey)
    expect(ofAccount.text).not.toMatch(/fake-session|Bearer/)
    const ofOther = await readTest(sandbox, `events/${unknown!.seq}?as=${format}`)
    expect(ofOther.text).toContain('unknown-key')
    expect(ofOther.text).not.toContain('keyOfAnotherService0000001')
  }
})

test.for(['$(id)', "'$(id)'", "x'`id`", "$'$&x"])(
  'a script of a call runs nothing that its Host field contains: %s',
  async (host, { sandbox }) => {
    const headers = { host, token: shop.apiKey, 'content-type': 'application/json' }
    const call = request(`${sandbox.url}/api/v2/createLink`, { method: 'POST', headers }).end('{}')
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    const [event] = await readEvents(sandbox, 'type=api.request')
    const { text } = await readTest(sandbox, `events/${event!.seq}?as=shell`)
    expect(text).toContain(`curl "$PAYLINK_URL"'/api/v2/createLink'`)
    expect(text).not.toMatch(/id\b.*api\/v2/)
  },
)

test('a note that looks like an option stays a note in the script', async ({ sandbox }) => {
  const { id } = await sandbox.createLink({ recipient_note: '-x' })
  await sandbox.control('POST', `/links/${id}/pay`)
  const { text } = await readTest(sandbox, `links/${id}?as=shell`)
  expect(text).toContain(' --note=-x ')
})

test('a target or a receiver that looks like an option stays an operand in the script', async ({
  sandbox,
}) => {
  const result = { name: 'json', title: 'JSON', expected: 'a 2xx', seen: '500', why: 'because' }
  const { answer } = await sandbox.control('POST', '/tests/check', {
    isCaller: false,
    url: '--caller',
    options: {},
    accountId: null,
    result,
  })
  expect(answer.shell.text).toContain('\nnpx paylink-sandbox check --only=json --details -- --caller\n')

  const { id } = await sandbox.createLink({ payment_endpoint: 'https://-x.example.com/hook' })
  await sandbox.control('POST', `/links/${id}/pay`, { wait: 'accepted' })
  const { text } = await readTest(sandbox, `links/${id}?as=shell`)
  expect(text).toContain(' --payment-endpoint=https://-x.example.com/hook ')
})

test('a sandbox with an upstream gives no tests, because it cannot repeat the answers', async ({
  sandbox,
}) => {
  await using upstream = await runSandbox({ upstream: sandbox.url })
  const { status, text } = await readTest(upstream, 'links/1001')
  expect([status, text]).toEqual([409, expect.stringContaining('Use a sandbox without --upstream.')])
})
