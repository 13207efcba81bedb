import { expect } from 'vitest'
import { startRawListener } from '../support/raw-listener.ts'
import { startReceiver } from '../support/receiver.ts'
import { openSandbox, type OpenSandbox } from '../support/sandbox.ts'
import { changeRows, downloadSnapshot, rowsOf, uploadSnapshot } from '../support/snapshot-file.ts'
import { test } from '../support/test.ts'

/** Fills every table, with every status and with unfinished work. */
async function fill(sandbox: OpenSandbox, receiver: string): Promise<void> {
  const { rawControl, call, createLink } = sandbox
  const done = async (method: string, path: string, body?: unknown) => {
    const { status, answer } = await rawControl(method, path, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer as Record<string, never>
  }
  await done('PUT', '/clock', { now: '2026-06-30T10:00:00Z', mode: 'frozen' })
  await done('PATCH', '/behaviors', { retries: '5s,30s', order: 'success,refund,cancel' })
  await done('PUT', '/maps', { maps: [{ from: 'https://shop.example', to: 'http://localhost:9' }] })
  await done('PUT', '/allowed-hosts', { allowedHosts: ['*.staging.example'] })
  const { id: own } = await done('POST', '/accounts', { name: 'Größenwahn 🎈', webhookUrls: [receiver] })
  await done('PATCH', `/accounts/${own}`, { apiKey: 'devAnotherKey123' })

  const paid = await Promise.all(
    ['Größe "M" 🎈\u2028', '[0]', 'third', 'fourth', 'fifth'].map((recipient_note) =>
      createLink({ recipient_note, payment_endpoint: receiver, callback_url: 'https://shop.example/thanks' }),
    ),
  )
  for (const { id } of paid) await done('POST', `/links/${id}/pay`, { wait: 'accepted' })
  for (const [index, { id }] of paid.entries()) {
    if (index < 3) await call('refundPayment', { pay_id: id, refund_amount: 10 + index })
  }
  await done('POST', `/refunds/${paid[0]!.id}/approve`)
  await done('POST', `/refunds/${paid[1]!.id}/reject`)
  for (const index of [3, 4]) await done('PUT', `/links/${paid[index]!.id}/dispute`)
  await done('DELETE', `/links/${paid[4]!.id}/dispute`)

  const [cancelled, declined, deleted, held, redirected, unreached] = await Promise.all(
    [{}, {}, {}, { payment_endpoint: 'https://elsewhere.example/hook' }, {}, {}].map((extra) =>
      createLink(extra),
    ),
  )
  await done('POST', `/links/${cancelled!.id}/cancel`)
  await done('POST', `/links/${declined!.id}/decline`)
  await done('DELETE', `/links/${deleted!.id}`)
  await done('POST', `/links/${held!.id}/pay`)
  await done('POST', `/links/${redirected!.id}/pay`, { browser: 'closes' })
  const basic = await call<{ id: number }>('createLink', { amount: 7.5, bank_transfer: true })
  await done('POST', `/links/${basic.envelope.data.id}/pay`, { method: 'bank-transfer' })

  await done('POST', '/faults', {
    on: 'webhook',
    script: ['drop', '500'],
    target: receiver,
    times: 'always',
  })
  await done('POST', '/faults', {
    on: 'api',
    script: '503',
    operation: 'createLink',
    probability: 0.5,
    seed: 7,
  })
  await done('POST', `/links/${unreached!.id}/pay`, { wait: 'accepted' })

  await done('PUT', '/tunnels/shop/answer', { status: 201, body: 'kept' })
  await fetch(`${sandbox.url}/tunnel/shop/%C3%A9?a=%20b`, { method: 'PUT', body: Uint8Array.of(0, 255, 254) })
  {
    await using _listener = await startRawListener(sandbox.url, 'shop')
  }
  await fetch(`${sandbox.url}/tunnel/shop/again`, { method: 'POST', body: 'a=b' })
  await fetch(`${sandbox.url}/api/v2/nothing`, { method: 'POST', body: '\u0000{' })
  await done('POST', '/clock/advance', { months: 1 })
}

/** A snapshot of such a sandbox, taken once for all tests of this file. */
const snapshotOfEverything = once(async () => {
  await using receiver = await startReceiver((_received, response) => response.writeHead(500).end('nö'))
  await using sandbox = await openSandbox()
  await fill(sandbox, receiver.url)
  await sandbox.control('POST', '/snapshots', { name: 'everything' })
  return await downloadSnapshot(sandbox, 'everything')
})

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => (made ??= make())
}

test('a snapshot with every kind of row is accepted by another sandbox, and restored unchanged', async ({
  sandbox,
}) => {
  const bytes = await snapshotOfEverything()
  const before = rowsOf(bytes)
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])
  expect([...new Set(before.link!.map(({ status }) => status))].toSorted()).toEqual([
    'awaiting-transfer',
    'cancelled',
    'deleted',
    'paid',
    'unused',
  ])

  expect(await uploadSnapshot(sandbox, 'uploaded', bytes)).toMatchObject({ status: 201 })
  expect((await sandbox.control('POST', '/snapshots/uploaded/restore')).status).toBe(200)
  await sandbox.control('POST', '/snapshots', { name: 'again' })
  const after = rowsOf(await downloadSnapshot(sandbox, 'again'))
  for (const table of [
    'account',
    'link',
    'refund',
    'invoice',
    'idBlock',
    'accountOriginal',
    'fault',
    'tunnel',
  ]) {
    expect(after[table]).toEqual(before[table])
  }
  for (const path_ of [
    '/links',
    '/refunds',
    '/invoices',
    '/faults',
    '/tunnels',
    '/deliveries',
    '/export.har',
    '/report',
  ]) {
    expect((await fetch(`${sandbox.url}/_sandbox/v1${path_}`)).status).toBe(200)
  }
  expect(sandbox.problems).toEqual([])
})

const set = (table: string, field: string, value: string, where = 'true') =>
  `update "${table}" set "${field}" = ${value} where ${where}`

/** Changes a value within the JSON in a column. */
const inside = (table: string, field: string, path: string, value: string, where = 'true') =>
  set(table, field, `json_set("${field}", '$${path}', ${value})`, where)

const ofType = (type: string) => `type = '${type}'`
const withRequest = `type = 'tunnel.captured'`

test.for([
  // An attacker could upload these rows.
  [set('link', 'targets', `'["x"]'`), /^table link, row \d+, targets\[0\]: should be an object/],
  [set('event', 'exchange', `'{"x":1}'`), /^table event, row \d+, exchange\.request: should be an object/],
  [set('link', 'paidAt', `'2026-99-99'`), /^table link, row \d+, paidAt: should be a time in UTC/],
  [
    set('link', 'callbackUrl', `'javascript:alert(1)'`),
    /^table link, row \d+, callbackUrl: should be an absolute http or https URL/,
  ],
  [set('link', 'amount', '-500'), /^table link, row \d+, amount: should be at least 1$/],
  [set('idBlock', 'number', '-1'), /^table idBlock, row \d+, number: should be at least 1000$/],
  [
    set('account', 'apiKey', `apiKey || char(10)`),
    /^table account, row 1, apiKey: should be 8 to 128 letters and digits/,
  ],
  [set('account', 'serviceFee', `'1e99'`), /^table account, row 1, serviceFee: should be a percentage/],
  [set('link', 'createdAt', `'soon'`), /^table link, row \d+, createdAt: should be a time/],
  // One row for each table and each kind of column.
  [
    set('account', 'recipientToken', `'a b c d e ' || rowid`),
    /^table account, row 1, recipientToken: should be 8 to 128 letters and digits$/,
  ],
  [
    set('account', 'environment', `'staging'`),
    /^table account, row 1, environment: should be development or production$/,
  ],
  [
    set('account', 'paymentEndpoint', `'http:'`),
    /^table account, row 1, paymentEndpoint: should be an absolute http or https URL/,
  ],
  [set('account', 'callbackUrls', `'['`), /^table account, row 1, callbackUrls: should be JSON$/],
  [set('account', 'webhookUrls', `'{}'`), /^table account, row 1, webhookUrls: should be a list$/],
  [
    set('account', 'webhookUrls', `'["file:///etc/hosts"]'`),
    /^table account, row 1, webhookUrls\[0\]: should be an absolute/,
  ],
  [set('account', 'billing', `'null'`), /^table account, row 1, billing: should be an object$/],
  [
    inside('account', 'billing', '.planet', `'Mars'`),
    /^table account, row 1, billing: has the unknown key planet$/,
  ],
  [set('account', 'bankTransfer', '2'), /^table account, row 1, bankTransfer: should be 0 or 1$/],
  [set('account', 'name', `x'ff'`), /^table account, row 1, name: should be text$/],
  [set('link', 'status', `'spent'`), /^table link, row \d+, status: should be unused or /],
  [set('link', 'paidBy', `'cash'`), /^table link, row \d+, paidBy: should be card or bank-transfer$/],
  [
    set('link', 'dispute', `'open'`, `status = 'unused'`),
    /^table link, row \d+, dispute: only a paid link has this field, and this link is unused$/,
  ],
  [set('link', 'amount', '1.5'), /^table link, row \d+, amount: should be a whole number$/],
  [set('link', 'amount', '99999999999999'), /^table link, row \d+, amount: should be at most 99999999999$/],
  [set('link', 'amount', '1'), /^table link, row \d+, recipients: get more than the amount of the link$/],
  [
    inside('link', 'recipients', '[0].share', '-3'),
    /^table link, row \d+, recipients\[0\]\.share: should be /,
  ],
  [
    set('link', 'targets', `'[{"url":"javascript:alert(1)","reason":""}]'`),
    /^table link, row \d+, targets\[0\]\.url: should be an absolute/,
  ],
  [set('refund', 'amount', `'much'`), /^table refund, row \d+, amount: should be a whole number$/],
  [
    set('refund', 'state', `'lost'`),
    /^table refund, row \d+, state: should be pending or approved or rejected$/,
  ],
  [
    set('refund', 'requestedAt', `'2026-02-30T00:00:00.000Z'`),
    /^table refund, row \d+, requestedAt: should be a time/,
  ],
  [
    set('refund', 'decidedAt', `'9999-12-31T00:00:00.000Z'`),
    /^table refund, row \d+, decidedAt: is outside the range/,
  ],
  [set('invoice', 'vat', '-1'), /^table invoice, row \d+, vat: should be at least 0$/],
  [set('invoice', 'serviceMonth', `'2026-13'`), /^table invoice, row \d+, serviceMonth: should be a month/],
  [set('invoice', 'invoiceDate', `'2026-02-30'`), /^table invoice, row \d+, invoiceDate: should be a date/],
  [set('delivery', 'state', `'lost'`), /^table delivery, row \d+, state: should be planned or pending or /],
  [set('delivery', 'target', `'http://'`), /^table delivery, row \d+, target: should be an absolute/],
  [
    set('delivery', 'target', `'/_sandbox/v1/reset'`),
    /^table delivery, row \d+, target: should be an absolute/,
  ],
  [
    set('delivery', 'target', `'file:///etc/hosts'`),
    /^table delivery, row \d+, target: should be an absolute/,
  ],
  [set('delivery', 'retries', `'soon'`), /^table delivery, row \d+, retries: should be none, or waits/],
  [
    set('delivery', 'contentType', `'text/plain' || char(13, 10) || 'x: y'`),
    /^table delivery, row \d+, contentType: should be visible ASCII/,
  ],
  [set('delivery', 'fault', `'drop'`), /^table delivery, row \d+, fault: should be JSON$/],
  [set('plan', 'steps', `'[{"pages":1}]'`), /^table plan, row \d+, steps\[0\]: has the unknown key pages$/],
  [
    set('plan', 'steps', `'[{"webhooks":["1"]}]'`),
    /^table plan, row \d+, steps\[0\]\.webhooks\[0\]: should be/,
  ],
  [set('plan', 'afterRefund', `'["pay"]'`), /^table plan, row \d+, afterRefund\[0\]: should be redirect or /],
  [
    set('plan', 'redirect', `'{"redirect":{"type":"sandbox.reset"}}'`),
    /^table plan, row \d+, redirect\.redirect\.accountId: should be/,
  ],
  [set('delivery', 'nextAttemptAt', `'soon'`), /^table delivery, row \d+, nextAttemptAt: should be a time/],
  [set('event', 'type', `'link.eaten'`), /^table event, row 1, type: is not an event type$/],
  [set('event', 'at', `'soon'`), /^table event, row 1, at: should be a time/],
  [set('event', 'data', `'{}'`), /^table event, row 1, data\.type: /],
  [set('event', 'data', `'[]'`), /^table event, row 1, data: should be an object$/],
  [inside('event', 'data', '.more', '1'), /^table event, row 1, data: has the unknown key more$/],
  [
    inside('event', 'data', '.linkId', '7'),
    /^table event, row 1, data\.linkId: differs from the column linkId$/,
  ],
  [
    inside('event', 'data', '.amount', '-1', ofType('link.paid')),
    /^table event, row \d+, data\.amount: should be at least 1$/,
  ],
  [
    inside('event', 'data', '.location', `'javascript:alert(1)'`, ofType('redirect.sent')),
    /^table event, row \d+, data\.location: should be an http or https URL, or a path/,
  ],
  [
    inside('event', 'data', '.location', `'//elsewhere.example'`, ofType('redirect.sent')),
    /^table event, row \d+, data\.location: should be/,
  ],
  [
    inside('event', 'data', '.link.recipients', '7', ofType('link.created')),
    /^table event, row \d+, data\.link\.recipients: should be a list$/,
  ],
  [
    inside('event', 'data', '.ms', '1e999', ofType('api.request')),
    /^table event, row \d+, data\.ms: should be a number$/,
  ],
  [set('event', 'exchange', `'[]'`), /^table event, row \d+, exchange: should be an object$/],
  [
    set('event', 'requestBody', 'zeroblob(100000)', 'exchange is not null'),
    /^table event, row \d+, requestBody: is longer than its size says$/,
  ],
  [
    set('event', 'requestBody', 'null', 'exchange is not null'),
    /^table event, row \d+, requestBody: should be text or bytes$/,
  ],
  [
    set('event', 'responseBody', '7', 'exchange is not null'),
    /^table event, row \d+, responseBody: should be text, bytes like /,
  ],
  [
    set('event', 'responseBody', `'x'`, 'exchange is null'),
    /^table event, row \d+, responseBody: belongs to no message of the exchange$/,
  ],
  [
    inside('event', 'exchange', '.request.headers', `json('[["x y","z"]]')`, withRequest),
    /^table event, row \d+, exchange\.request: cannot be sent$/,
  ],
  [
    inside('event', 'exchange', '.response.status', `'fine'`, `exchange ->> '$.response.status' > 0`),
    /^table event, row \d+, exchange\.response\.status: should be a number$/,
  ],
  [
    set('behavior', 'value', `'maybe'`, `name = 'order'`),
    /^table behavior, row \d+, value: should be together/,
  ],
  [
    set('behavior', 'name', `'mood'`, `name = 'order'`),
    /^table behavior, row \d+, name: should be payId or /,
  ],
  [set('formerKey', 'apiKey', `'a b c d e f'`), /^table formerKey, row 1, apiKey: should be 8 to 128/],
  [set('idBlock', 'position', '0'), /^table idBlock, row \d+, position: should be at least 1$/],
  [set('accountOriginal', 'invoices', `'{}'`), /^table accountOriginal, row 1, invoices: should be a list$/],
  [
    inside('accountOriginal', 'account', '.serviceFee', `'1e99'`),
    /^table accountOriginal, row 1, account\.serviceFee: should be a percentage/,
  ],
  [
    inside('accountOriginal', 'account', '.id', `'00000000-0000-4000-8000-00000000dead'`),
    /^table accountOriginal, row 1, account: is a different account$/,
  ],
  [set('fault', 'script', `'drop'`), /^table fault, row 1, script: should be JSON$/],
  [set('fault', 'script', `'["dorp"]'`), /^table fault, row 1, script\[0\]: /],
  [set('fault', 'on', `'everything'`), /^table fault, row 1, on: should be api, webhook or redirect/],
  [set('fault', 'probability', '2'), /^table fault, row 1, probability: should be at most 1$/],
  [set('fault', 'times', `'always'`), /^table fault, row \d, times: should be a whole number or null$/],
  [
    set('egressRule', 'from', `'https://shop.example/path'`, '"to" is not null'),
    /^table egressRule, row 1, from: should be an origin without a path/,
  ],
  [
    set('egressRule', 'from', `'two words'`, '"to" is null'),
    /^table egressRule, row 2, from: should be a host/,
  ],
  [
    set('egressRule', 'to', `'ftp://localhost'`, '"to" is not null'),
    /^table egressRule, row 1, to: should be an address/,
  ],
  [set('tunnel', 'status', '99'), /^table tunnel, row 1, status: should be at least 200$/],
  [
    set('tunnel', 'headers', `'[["a\\n","b"]]'`),
    /^table tunnel, row 1, headers\[0\]: is not a header field$/,
  ],
  [set('capturedRequest', 'size', '-1'), /^table capturedRequest, row \d+, size: should be at least 0$/],
  [
    set('capturedRequest', 'tunnel', `'../up'`),
    /^table capturedRequest, row \d+, tunnel: should be up to 63 lower-case letters/,
  ],
  [set('listener', 'to', `'mailto:me'`), /^table listener, row 1, to: should be an absolute/],
  [
    set('pendingRequest', 'connection', '-1'),
    /^table pendingRequest, row 1, connection: should be at least 0$/,
  ],
  [
    set('meta', 'value', `'{"mode":"running"}'`, `key = 'clock'`),
    /^table meta, row \d+, value\.offsetMs: should be/,
  ],
  [set('meta', 'key', `'mood'`, `key = 'clock'`), /^table meta, row \d+, key: should be epoch or /],
] as const)(
  'an upload with %s is refused, with table, row and field',
  async ([statement, where], { sandbox }) => {
    const { status, answer } = await uploadSnapshot(
      sandbox,
      'uploaded',
      changeRows(await snapshotOfEverything(), statement),
    )
    expect(status).toBe(422)
    expect(String(answer.detail).replace('The file was not saved as snapshot uploaded: ', '')).toMatch(where)
  },
)
