import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { receiverRemedies } from '../../server/verify/mistakes/remedies.ts'
import { expect } from 'vitest'
import { behaviorNames } from '../../server/domain/behaviors/behavior.ts'
import { STORED_ADVICE } from '../../server/mcp/describe.ts'
import { tools } from '../../server/mcp/tools.ts'
import { parseRoute } from '../../ui/browser/hash-route.ts'
import { startCaller } from '../support/caller.ts'
import { freePort } from '../support/free-port.ts'
import { listenAt } from '../support/listen-at.ts'
import { startMcp } from '../support/mcp.ts'
import { startReceiver } from '../support/receiver.ts'
import { courier, openSandbox, shop } from '../support/sandbox.ts'
import { test as base } from '../support/test.ts'

const test = base.extend('assistant', async ({ sandbox }, { onCleanup }) => {
  const assistant = await startMcp(['--sandbox', sandbox.url])
  onCleanup(() => assistant[Symbol.asyncDispose]())
  return assistant
})

const NONE_MISSING =
  'No payment misses a webhook: none failed without arriving later, is held, is stored in a tunnel or waits for a retry.'

test('an assistant learns that a webhook is stored in a tunnel, and when a listener has fetched it', async ({
  assistant,
  sandbox,
  receiver,
}) => {
  const line =
    'Webhook 1 of link 1001 is stored in a tunnel, because no listener was connected: no app has it'
  await assistant.call('create_link', { amount: 20 })

  const paid = await assistant.call('payment', { link: 1001, action: 'pay' })
  const why = await assistant.call('explain_webhook')
  const status = await assistant.call('sandbox_status')
  expect(paid.lines).toEqual(expect.arrayContaining([line, STORED_ADVICE]))
  expect(why.lines).toEqual([
    line,
    expect.stringMatching(/^Attempt 1: HTTP 200 of a tunnel after .+, event #\d+$/),
    STORED_ADVICE,
  ])
  expect(why.untrusted).toMatchObject({ tunnel: 'flower-shop' })
  expect(status.lines).toContain(
    'Webhooks: 0 failed, 0 held, 1 stored in a tunnel. explain_webhook explains them.',
  )

  await using _listener = await listenAt(sandbox.url, {
    tunnel: 'flower-shop',
    forwardTo: receiver.url,
    name: 'laptop',
    since: 'all',
  })
  const answered = await assistant.call('events', { action: 'wait', type: 'tunnel.answered' })
  expect(answered.lines).toContainEqual(
    expect.stringMatching(/ {2}tunnel\.answered {2}✓ 200 {2}link 1001 {2}webhook 1$/),
  )
  const later = await assistant.call('explain_webhook', { webhook: 1 })
  expect(later.lines).toEqual([
    'Webhook 1 of link 1001 was delivered: ✓ 200',
    expect.stringMatching(/^Attempt 1: HTTP 200 of a tunnel after/),
    expect.stringMatching(/^A listener fetched the webhook from the tunnel: HTTP 200, event #\d+$/),
    'It arrived.',
  ])
  expect((await assistant.call('explain_webhook')).lines).toEqual([NONE_MISSING])
})

test('an assistant makes a payment, finds out why the webhook failed, fixes the target, replays and confirms', async ({
  assistant,
  sandbox,
  receiver,
}) => {
  await using broken = await startReceiver((_received, response) =>
    response.writeHead(500).end('Out of order'),
  )
  await assistant.call('account', { action: 'change', paymentEndpoint: broken.url })
  const created = await assistant.call('create_link', { amount: 20, note: 'Order 7' })
  expect(created.lines[0]).toBe('Link 1001 (pay_id 1001) is unused: €20.00')
  expect(created.untrusted).toMatchObject({ note: 'Order 7', webhookTargets: [broken.url] })

  const paid = await assistant.call('payment', { link: 1001, action: 'pay' })
  expect(paid).toMatchObject({ isError: false })
  expect(paid.lines).toEqual(
    expect.arrayContaining(['Webhook 1 of link 1001 failed: ✕ 500', 'Use explain_webhook to find out why.']),
  )

  const why = await assistant.call('explain_webhook')
  expect(why.lines).toEqual([
    'Webhook 1 of link 1001 failed: ✕ 500',
    expect.stringMatching(/^Attempt 1: HTTP 500 after .+, event #\d+$/),
    expect.stringMatching(/^error receiverRefused: The receiver did not answer with 2xx\. Expected: any 2xx/),
    'Once the receiver is corrected, send it again with payment, replay and webhook 1.',
  ])
  expect(why.untrusted).toMatchObject({
    target: broken.url,
    request: { line: `POST ${broken.url}`, body: expect.stringContaining('pay_id') },
    response: { status: 500, body: 'Out of order' },
  })
  const { screen, id } = parseRoute(why.inspector!.replace(`${sandbox.url}/`, ''))
  expect(screen).toBe('timeline')
  const { answer } = await sandbox.control('GET', `/events/${id}`)
  expect(answer).toMatchObject({ type: 'delivery.attempted', httpStatus: 500 })

  await assistant.call('account', { action: 'change', paymentEndpoint: receiver.url })
  const replayed = await assistant.call('payment', { action: 'replay', webhook: 1, to: receiver.url })
  expect(replayed.lines).toEqual(['Webhook 2 of link 1001 was delivered: ✓ 200'])
  expect(receiver.received[0]!.pairs).toMatchObject({ 'data[note]': 'Order 7', 'data[amount]': '20' })

  const confirmed = await assistant.call('events', {
    action: 'wait',
    type: 'delivery.attempted',
    link: 1001,
    match: { httpStatus: 200 },
  })
  expect(confirmed.lines).toEqual([
    expect.stringMatching(/delivery\.attempted {2}✓ 200 {2}link 1001 {2}webhook 2$/),
  ])
})

test('a failed webhook that arrived later is no problem, and a webhook with changed bytes never counts', async ({
  assistant,
  sandbox,
  receiver,
}) => {
  let status = 500
  await using app = await startReceiver((_received, response) => response.writeHead(status).end())
  await sandbox.createLink({ payment_endpoint: app.url })
  await assistant.call('payment', { action: 'pay', link: 1001 })
  await assistant.call('payment', { action: 'replay', webhook: 1 })
  status = 200
  await assistant.call('payment', { action: 'replay', webhook: 1, body: 'data[amount]=0.01' })
  await assistant.call('payment', { action: 'replay', webhook: 3 })
  const reached = async () => (await assistant.call('sandbox_status')).lines.slice(3, 5)
  const explained = async (input = {}) => (await assistant.call('explain_webhook', input)).lines

  expect(await reached()).toEqual([
    'The paid payment has not reached your app.',
    'Webhooks: 1 failed, 0 held, 0 stored in a tunnel. explain_webhook explains them.',
  ])
  expect(await explained({ link: 1001 })).toContain('Webhook 2 of link 1001 failed: ✕ 500')
  expect((await explained({ webhook: 4 })).at(-1)).toMatch(
    /^It is forged, or its bytes differ from the payment/,
  )

  await assistant.call('payment', { action: 'replay', webhook: 1, to: receiver.url })
  expect(await reached()).toEqual([
    'The paid payment has reached your app at another address.',
    'Webhooks: 0 failed, 0 held, 0 stored in a tunnel. explain_webhook explains them.',
  ])
  const later = 'It arrived later as webhook 5 at another address, so there is nothing to send again.'
  expect((await explained({ webhook: 2 })).at(-1)).toBe(later)

  await assistant.call('payment', { action: 'replay', webhook: 1 })
  expect((await explained({ webhook: 2 })).at(-1)).toBe(
    'It arrived later as webhook 6, so there is nothing to send again.',
  )
  expect(await explained()).toEqual([NONE_MISSING])
})

test.each<[tool: string, input: object, message: string]>([
  ['payment', { action: 'pay' }, 'pay: link should be a number or text, and is missing.'],
  [
    'payment',
    { action: 'pay', amount: 20 },
    'pay: link should be a number or text, and is missing. amount is a field of request_refund, not of pay.',
  ],
  [
    'payment',
    { action: 'approve_refund' },
    'approve_refund: link should be a number or text, and is missing.',
  ],
  [
    'payment',
    { action: 'pay', link: 1, foo: 2 },
    'pay: There is no field foo, the fields are link, method, browser.',
  ],
  [
    'payment',
    { action: 'pay', link: 1, methd: 'card' },
    'pay: There is no field methd; the nearest is method.',
  ],
  ['payment', { action: 'replay', webhook: '1' }, 'replay: webhook is "1". It should be a number.'],
  ['explain_webhook', { link: true }, 'link is true. It should be a number or text.'],
  ['sandbox_status', { account: 'x' }, 'There is no field account, and no other field.'],
  ['use_snapshot', { action: 'restore' }, 'restore: name should be text, and is missing.'],
  ['use_snapshot', { action: 'list', name: 'x' }, 'list: name is a field of take and restore, not of list.'],
  [
    'explain_webhook',
    { webhook: 9_999 },
    'There is no delivery 9999. events with list and types ["delivery.queued"] lists them.',
  ],
])('the tool %s, called with %j, says what is wrong', async (tool, input, message) => {
  await using running = await openSandbox()
  await using assistant = await startMcp(['--sandbox', running.url])

  const { isError, lines } = await assistant.call(tool, { ...input })

  expect([isError, lines]).toEqual([true, [`${tool} failed: ${message}`]])
})

test('a wait that times out lists the events that came closest to a match', async ({ assistant }) => {
  await assistant.call('create_link', { amount: 20 })
  const late = await assistant.call('events', {
    action: 'wait',
    type: 'link.created',
    match: { link: { amount: 30 } },
    timeoutMs: 0,
  })
  expect(late).toMatchObject({
    isError: true,
    lines: ['events failed: no event matched in time. The data has the closest events and how they differ.'],
    untrusted: { message: expect.stringContaining('link.amount: wanted 30, found 20') },
  })
})

test('the customer cancels and is declined, the operator approves or rejects transfers and refunds', async ({
  assistant,
}) => {
  const act = async (link: number, action: string, more = {}) =>
    (await assistant.call('payment', { link, action, ...more })).lines[0]
  const decide = async (link: number, decision: string) =>
    (await assistant.call('payment', { action: decision, link })).lines[0]
  for (const bankTransfer of [true, true, false, false]) {
    await assistant.call('create_link', { amount: 10, bankTransfer })
  }

  expect(await act(1001, 'pay', { method: 'bank-transfer' })).toBe(
    'Link 1001 (pay_id 1001) is awaiting transfer: €10.00',
  )
  expect(await decide(1001, 'approve_transfer')).toBe('Link 1001 (pay_id 1001) is paid: €10.00')
  await act(1002, 'pay', { method: 'bank-transfer' })
  expect(await decide(1002, 'reject_transfer')).toBe(
    'The bank transfer was rejected. The link can be paid again.',
  )
  expect(await act(1003, 'decline')).toBe('The bank declined the card. The link can still be paid.')
  expect(await act(1003, 'cancel')).toBe('Link 1003 (pay_id 1003) is cancelled: €10.00')
  await act(1004, 'pay')
  const requested = await assistant.call('payment', { action: 'request_refund', link: 1004, amount: 4 })
  expect(requested.lines[0]).toBe('A refund of €4.00 was requested for link 1004.')
  expect(await decide(1004, 'approve_refund')).toBe('Refund of €4.00 for pay_id 1004 is approved')
  await assistant.call('payment', { action: 'request_refund', link: 1001 })
  expect(await decide(1001, 'reject_refund')).toBe('Refund of €10.00 for pay_id 1001 is rejected')

  const again = await assistant.call('payment', { action: 'request_refund', link: 1004 })
  expect(again).toMatchObject({ isError: true, untrusted: { ResponseMsg: expect.any(String) } })
})

test('an assistant can set behaviors, faults and the clock', async ({ assistant, receiver }) => {
  const all = await assistant.call('settings', { action: 'set_behaviors' })
  expect(all.lines).toHaveLength(behaviorNames.length)
  const [set] = (
    await assistant.call('settings', {
      action: 'set_behaviors',
      values: { retries: '5s,30s' },
      account: shop.name,
    })
  ).lines
  expect(set).toMatch(/^retries=5s,30s: /)

  const fault = await assistant.call('settings', { action: 'add_fault', on: 'webhook', script: 'drop' })
  expect(fault.lines).toEqual(['Fault 1 on webhooks: not triggered yet'])
  const limited = await assistant.call('settings', {
    action: 'add_fault',
    on: 'api',
    script: '500',
    operation: 'createLink',
    account: shop.id,
  })
  expect(limited.lines).toEqual([`Fault 2 on API calls of createLink, account ${shop.id}: not triggered yet`])
  await assistant.call('settings', { action: 'remove_faults', fault: 2 })
  await assistant.call('create_link', { amount: 20, paymentEndpoint: receiver.url })
  await assistant.call('payment', { link: 1001, action: 'pay' })
  const pending = await assistant.call('explain_webhook', { link: 1001 })
  expect(pending.words).toContain('A fault changed the last attempt.')
  expect(pending.words).toContain('It is tried again at ')
  const status = await assistant.call('sandbox_status')
  expect(status.lines).toContain('Fault 1 on webhooks: triggered once, used up')

  const advanced = await assistant.call('settings', { action: 'set_clock', move: 'advance', minutes: 1 })
  expect(advanced.lines[1]).toBe('1 webhook tried again: webhook 1 is delivered')
  const frozen = await assistant.call('settings', {
    action: 'set_clock',
    move: 'freeze',
    time: '2026-12-01T00:00:00Z',
  })
  expect(frozen.lines).toEqual(['Clock: 2026-12-01T00:00:00.000Z, frozen', '1 tax invoice issued'])
  expect((await assistant.call('settings', { action: 'set_clock', move: 'advance' })).isError).toBe(true)
  expect(
    (await assistant.call('settings', { action: 'set_clock', move: 'resume', minutes: 1 })).isError,
  ).toBe(true)
  expect((await assistant.call('settings', { action: 'set_clock', move: 'set' })).isError).toBe(true)

  expect((await assistant.call('settings', { action: 'remove_faults', fault: 1 })).lines).toEqual([
    'Fault 1 was removed. 0 faults left.',
  ])
  expect((await assistant.call('settings', { action: 'remove_faults' })).lines).toEqual([
    'All faults were removed.',
  ])
})

test('the list of behaviors says what the real service does', async ({ folder }) => {
  const calibration = join(folder.path, 'paylink.calibration.json')
  const confirmed = { verdict: 'confirmed', exchanges: 1, on: '2026-07-01' }
  const points = { payId: { ...confirmed, value: 'same' }, errorStatus: { ...confirmed, value: 'http' } }
  const result = { version: 1, target: 'https://dev.pay.example', sandbox: '0.1.0', points, differences: [] }
  writeFileSync(calibration, JSON.stringify(result))
  await using sandbox = await openSandbox({ calibration })
  await using assistant = await startMcp(['--sandbox', sandbox.url])

  const { lines } = await assistant.call('settings', { action: 'set_behaviors', account: shop.name })

  const compared = lines.filter((line) => line.includes('The real service'))
  expect(compared.map((line) => line.replace(/=.*(?=The real)/, ' '))).toEqual([
    'payId The real service: the same on 2026-07-01.',
    'errorStatus The real service: different on 2026-07-01.',
  ])
})

test('an assistant can check a receiver, and gets the progress', async ({ assistant }) => {
  await using receiver = await startReceiver(({ contentType }, response) =>
    response.writeHead(contentType.includes('json') ? 415 : 200).end('Forms only'),
  )
  const progress: string[] = []
  const { structuredContent } = await assistant.client.callTool(
    { name: 'check', arguments: { what: 'receiver', url: receiver.url, only: ['json', 'repeated'] } },
    { onprogress: ({ message = '' }) => progress.push(message) },
  )
  expect(progress).toEqual(['json: failed', 'repeated: passed'])
  expect(structuredContent).toMatchObject({
    lines: [
      '1 passed, 1 failed, 0 skipped',
      expect.stringContaining(
        `Your app does not accept a webhook in JSON: json. ${receiverRemedies['not-accepted']}`,
      ),
      expect.stringMatching(/^✕ json: /),
      expect.any(String),
    ],
    untrusted: { json: { seen: expect.stringContaining('415') } },
  })
})

test('an assistant can check an app that calls the API', async ({ assistant, sandbox }) => {
  await using app = await startCaller('caller', { url: sandbox.url, apiKey: shop.apiKey })
  const passed = await assistant.call('check', { what: 'caller', url: app.orderUrl, only: ['normal-order'] })
  expect(passed.lines).toEqual([
    '1 passed, 0 failed, 0 skipped',
    'Orders were not checked. Pass stateUrl to also check them.',
  ])

  await using broken = await startCaller('cuts-cents', { url: sandbox.url, apiKey: shop.apiKey })
  const failed = await assistant.call('check', {
    what: 'caller',
    url: broken.orderUrl,
    only: ['amount-cents'],
  })
  expect(failed.lines).toEqual(
    expect.arrayContaining([
      '0 passed, 1 failed, 0 skipped',
      'The payment link of an order of €0.29 has a different amount: amount-cents. Create the link for the price of the order, to the cent. 8.2 * 100 is 819.9999999999999, so round to cents instead of cutting. If your app adds a net price and a tax, round them so that the sum stays the price.',
      expect.stringMatching(/^✕ amount-cents: /),
    ]),
  )
  expect(failed.untrusted).toMatchObject({ 'amount-cents': { seen: expect.any(String) } })
})

test('an assistant can map a production address to the app', async ({ assistant, receiver }) => {
  expect((await assistant.call('settings', { action: 'set_maps' })).lines).toEqual(['There are no maps.'])
  const added = await assistant.call('settings', {
    action: 'set_maps',
    mapFrom: 'https://shop.example',
    mapTo: receiver.origin,
  })
  expect(added.lines).toEqual(['Map 1, from a change: webhooks are sent'])
  expect(added.untrusted).toMatchObject({ 'map 1': { from: 'https://shop.example', to: receiver.origin } })

  await assistant.call('create_link', { amount: 20, paymentEndpoint: 'https://shop.example/webhooks' })
  const paid = await assistant.call('payment', { link: 1001, action: 'pay' })
  expect(paid.lines).toContain('Webhook 1 of link 1001 was delivered: ✓ 200')

  const outside = await assistant.call('settings', {
    action: 'set_maps',
    mapFrom: 'https://a.example',
    mapTo: 'https://b.example',
  })
  expect(outside.words).toMatch(/webhooks are held, because its target is not allowed$/m)
  await assistant.call('settings', { action: 'set_maps', mapFrom: 'https://a.example' })
  expect(
    (await assistant.call('settings', { action: 'set_maps', mapFrom: 'https://shop.example' })).lines,
  ).toEqual(['There are no maps.'])
  expect((await assistant.call('settings', { action: 'set_maps', mapTo: receiver.origin })).isError).toBe(
    true,
  )
})

test('an assistant can undo everything since a snapshot', async ({ assistant, sandbox }) => {
  const taken = await assistant.call('use_snapshot', { action: 'take', name: 'before' })
  expect(taken.lines).toEqual([
    'The snapshot was taken.',
    'Snapshots. Their names are in the data below.',
    expect.stringMatching(/^Snapshot 1: taken .+, 0 links$/),
  ])
  await assistant.call('create_link', { amount: 20 })

  await assistant.call('use_snapshot', { action: 'restore', name: 'before' })

  expect((await sandbox.control('GET', '/links')).answer.links).toEqual([])
  const again = await assistant.call('use_snapshot', { action: 'take', name: 'before' })
  expect(again).toMatchObject({ isError: true, words: expect.stringMatching(/^use_snapshot failed: /) })
  const replaced = { action: 'take', name: 'before', replace: true }
  expect((await assistant.call('use_snapshot', replaced)).isError).toBe(false)
  expect((await assistant.call('use_snapshot', { action: 'list' })).lines).toHaveLength(2)
  expect((await assistant.call('use_snapshot', { action: 'restore' })).isError).toBe(true)
})

test('an assistant can create an account, and reads the bytes of an event with masked keys', async ({
  assistant,
}) => {
  const created = await assistant.call('account', { action: 'create', name: 'Market stall' })
  expect(created.lines[1]).toMatch(/^ {2}API key \w+$/)
  await assistant.call('create_link', {
    amount: 20,
    account: 'Market stall',
    recipients: [{ token: courier.recipientToken, share: 30 }],
  })
  const [row] = (
    await assistant.call('events', { action: 'list', account: 'Market stall', types: ['api.request'] })
  ).lines
  const seq = Number(/^#(\d+)/.exec(row!)![1])
  const shown = await assistant.call('events', { action: 'get', seq })
  expect(shown.lines[1]).toMatch(/^It depended on these open points: .*payId/)
  expect(shown.untrusted).toMatchObject({
    request: {
      line: expect.stringContaining('/api/v2/createSplitLink'),
      body: expect.stringContaining('"amount":20'),
    },
    response: { status: 200 },
  })
  expect(shown.text).not.toContain(created.lines[1]!.trim().split(' ').at(-1))
})

test('errors are answers of the tools, and say what to do', async ({ assistant }) => {
  const failed = async (name: string, given: Record<string, unknown>) => {
    const { isError, lines, text } = await assistant.call(name, given)
    expect(isError).toBe(true)
    return lines[0] ?? text
  }
  expect(await failed('create_link', { amount: 20, account: 'Nobody' })).toBe(
    'create_link failed: No account has this id or name. sandbox_status lists the accounts.',
  )
  expect(await failed('create_link', { amount: 0 })).toBe(
    'create_link failed: the service refused the call. The data has its message.',
  )
  expect(await failed('create_link', {})).toContain('amount')
  expect(await failed('payment', { link: 7, action: 'pay' })).toMatch(/^payment failed: There is no /)
  expect(await failed('payment', { link: 7, action: 'buy' })).toContain('action')
  expect(await failed('payment', { action: 'replay', webhook: 9 })).toBe(
    'payment failed: There is no delivery 9. events with list and types ["delivery.queued"] lists them.',
  )
  expect(await failed('settings', { action: 'set_behaviors', values: { payid: 'same' } })).toContain(
    'did you mean payId?',
  )
  expect(await failed('settings', { action: 'add_fault', on: 'api', script: '5000' })).toMatch(
    /^settings failed: script/,
  )
  expect(await failed('account', { action: 'change' })).toMatch(/^account failed: No setting was passed\./)
  const receiver = { what: 'receiver', url: 'http://localhost:1', only: ['json'] }
  expect(await failed('check', { ...receiver, stateUrl: 'x' })).toBe(
    'check failed: the check could not be completed. The data says why.',
  )
  expect(await failed('check', { ...receiver, paidText: 'Paid' })).toBe(
    'check failed: paidText is not an option of a check of a receiver. Leave it out.',
  )
  expect((await assistant.call('explain_webhook')).lines).toEqual([NONE_MISSING])
})

test('a webhook that arrived, or that had no receiver, is also explained', async ({
  assistant,
  receiver,
}) => {
  const explain = async (link: number) => (await assistant.call('explain_webhook', { link })).lines.at(-1)
  await assistant.call('account', { action: 'change', paymentEndpoint: '' })
  await assistant.call('create_link', { amount: 20 })
  await assistant.call('payment', { link: 1001, action: 'pay' })
  expect(await explain(1001)).toMatch(/^It sent no webhook, because neither the link nor its account has/)

  await assistant.call('create_link', { amount: 20, paymentEndpoint: receiver.url })
  expect(await explain(1002)).toBe(
    'It sent no webhook, because no payment has had an outcome that sends one.',
  )
  await assistant.call('payment', { link: 1002, action: 'pay' })
  expect(await explain(1002)).toBe(
    'All its webhooks arrived. The newest: Webhook 1 of link 1002 was delivered: ✓ 200',
  )
})

test('no tool sends a webhook that the egress policy holds', async ({ assistant }) => {
  await assistant.call('create_link', { amount: 20, paymentEndpoint: 'https://shop.example.com/hook' })
  await assistant.call('payment', { link: 1001, action: 'pay' })
  const held = await assistant.call('explain_webhook', { link: 1001 })
  expect(held.lines).toEqual([
    'Webhook 1 of link 1001 is held',
    expect.stringContaining('A person can allow it'),
  ])
  expect((await assistant.call('payment', { action: 'replay', webhook: 1 })).lines[0]).toContain('is held')
})

test('the descriptions of all tools together stay short', async ({ assistant }) => {
  const listed = await assistant.client.listTools()
  expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  // The descriptions take space in the context of every conversation. Clients leave out the schema of answers, which all tools
  // share.
  const texts = listed.tools.map(({ outputSchema: _outputSchema, ...tool }) => tool)
  expect(JSON.stringify(texts).length).toBeLessThan(26_000)
})

const NO_CHANGE = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
const CHANGES = { ...ADDS, destructiveHint: true }

test.for([
  ['sandbox_status', NO_CHANGE],
  ['account', CHANGES],
  ['create_link', ADDS],
  ['payment', { ...CHANGES, openWorldHint: true }],
  ['explain_webhook', NO_CHANGE],
  ['events', NO_CHANGE],
  ['check', { ...ADDS, openWorldHint: true }],
  ['settings', { ...CHANGES, openWorldHint: true }],
  ['use_snapshot', { ...CHANGES, openWorldHint: true }],
  ['read_guide', NO_CHANGE],
] as const)('the annotations of %s say what it changes', async ([name, expected], { assistant }) => {
  const { tools: listed } = await assistant.client.listTools()
  const { annotations, outputSchema } = listed.find((tool) => tool.name === name)!
  expect(annotations).toMatchObject(expected)
  expect(outputSchema).toMatchObject({ type: 'object', required: ['lines'] })
})

test('a tool that changes nothing adds no event', async ({ assistant, sandbox }) => {
  await assistant.call('create_link', { amount: 1 })
  const count = async () => (await sandbox.control('GET', '/events')).answer.events.length
  const before = await count()
  await assistant.call('sandbox_status')
  await assistant.call('explain_webhook')
  await assistant.call('events', { action: 'list' })
  await assistant.call('events', { action: 'get', seq: 1 })
  await assistant.call('events', { action: 'wait', type: 'link.created' })
  await assistant.call('read_guide', { search: 'webhook' })
  expect(await count()).toBe(before)
})

test('guides, open points and documents are resources, with the address of this sandbox', async ({
  assistant,
  sandbox,
}) => {
  const listed = await assistant.client.listResources()
  expect(listed.resources.map(({ uri }) => uri)).toEqual(
    expect.arrayContaining([
      'paylink://guides/webhooks',
      'paylink://open-points',
      'paylink://openapi/api',
      'paylink://openapi/control',
    ]),
  )
  const texts = new Map<string, string>()
  for (const { uri, mimeType } of listed.resources) {
    const [content] = (await assistant.client.readResource({ uri })).contents
    expect(content).toMatchObject({ uri, mimeType })
    texts.set(uri, (content as { text: string }).text)
  }
  const started = texts.get('paylink://guides/getting-started')!
  expect(started).toMatch(/^# Getting started\n/)
  expect(started).toContain(sandbox.url)
  expect(JSON.parse(texts.get('paylink://open-points')!).behaviors).toHaveLength(behaviorNames.length)
  expect(JSON.parse(texts.get('paylink://openapi/api')!).paths).toHaveProperty('/api/v2/createLink')
  expect(JSON.parse(texts.get('paylink://openapi/control')!).paths).toHaveProperty('/_sandbox/v1/links')

  expect((await assistant.call('read_guide')).text).toContain('webhooks: ')
  expect((await assistant.call('read_guide', { guide: 'getting-started' })).lines).toEqual([started])
})

test('read_guide finds sections of guides by their text', async ({ assistant, sandbox }) => {
  const [found, none, both] = await Promise.all([
    assistant.call('read_guide', { search: 'forged webhook curl' }),
    assistant.call('read_guide', { search: 'tunnel idempitint' }),
    assistant.call('read_guide', { search: 'tunnel', guide: 'tunnels' }),
  ])

  expect(found.lines[0]).toMatch(/^\d+ sections? contains? these words/)
  expect(found.lines).toContain(
    `simulating-failures#forged-webhooks: curl -X POST ${sandbox.url}/_sandbox/v1/links/1001/forged-webhook \\`,
  )
  expect(none.lines).toEqual([
    'No section of a guide contains all of these words. Search for one of these words: tunnel, idempotent.',
  ])
  expect(both).toMatchObject({
    isError: true,
    text: expect.stringContaining('Pass guide to read a guide, or search to find one, but not both.'),
  })
})

test('the tools require an admin token, and pass it on', async () => {
  await using guarded = await openSandbox({ adminToken: 'open-sesame' })
  await using stranger = await startMcp(['--sandbox', guarded.url])
  const refused = await stranger.call('sandbox_status')
  expect(refused).toMatchObject({ isError: true })
  expect(refused.words).toContain('requires its admin token. Pass --admin-token, or set PAYLINK_ADMIN_TOKEN.')

  await using authorized = await startMcp(['--sandbox', guarded.url], { PAYLINK_ADMIN_TOKEN: 'open-sesame' })
  expect((await authorized.call('sandbox_status')).isError).toBe(false)
  const { contents } = await authorized.client.readResource({ uri: 'paylink://open-points' })
  expect(contents).toHaveLength(1)
})

test('a new sandbox can serve https and require a token', async () => {
  await using assistant = await startMcp(['--tls', '--admin-token', 'open-sesame'])
  expect((await assistant.call('sandbox_status')).lines[0]).toMatch(/ at https:/)
  const { contents } = await assistant.client.readResource({ uri: 'paylink://openapi/control' })
  expect(contents).toHaveLength(1)
})

test('the sandbox may start after the assistant', async () => {
  const port = await freePort()
  await using assistant = await startMcp(['--sandbox', `http://127.0.0.1:${port}`])
  const early = await assistant.call('sandbox_status')
  expect(early).toMatchObject({ isError: true })
  expect(early.words).toContain('Start one with `npx paylink-sandbox`')

  await using _sandbox = await openSandbox({ port })
  expect((await assistant.call('sandbox_status')).isError).toBe(false)
})

test('an event shows how the answer of the real service differs from the sandbox', async () => {
  await using service = await openSandbox({ behaviors: { errorStatus: 'http' } })
  await using mirror = await openSandbox({ upstream: service.url })
  await using assistant = await startMcp(['--sandbox', mirror.url])
  await mirror.call('createLink', { amount: -5 })

  const event = await assistant.call('events', { action: 'get', seq: 2 })
  expect(event.lines).toContain('The service answered differently from the sandbox in 1 place.')
  expect(event.untrusted).toMatchObject({
    response: { status: 422 },
    sandboxWouldHaveAnswered: { status: 200 },
    differences: ['The service answers HTTP 422, the sandbox HTTP 200.'],
  })
  const status = await assistant.call('sandbox_status')
  expect(status.lines.join('\n')).toContain(`${service.url} answers the calls of apps.`)
})
