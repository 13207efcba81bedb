import { expect } from 'vitest'
import type { Operation } from '../../server/domain/api/operations.ts'
import type { AssumptionName } from '../../server/domain/behaviors/open-points.ts'
import { MAX_BODY_BYTES } from '../../server/domain/http/limits.ts'
import { endpoints } from '../../server/service/api/endpoints/all-endpoints.ts'
import { SMALLEST_BODIES } from '../../server/verify/calibration/probes.ts'
import { assumedBy, courier, shop, type OpenSandbox } from '../support/sandbox.ts'
import { startReceiver } from '../support/receiver.ts'
import { test } from '../support/test.ts'

const pay = (sandbox: OpenSandbox, id: number, body?: object) =>
  sandbox.control('POST', `/links/${id}/pay`, body)

/** The open points that the events of the sandbox name. */
const reported = (sandbox: OpenSandbox): readonly AssumptionName[] =>
  sandbox.runReport().openPoints.map(({ name }) => name)

const share = (part: number) => ({ token: courier.recipientToken, share: part })

test.for<[name: AssumptionName, fields: object, answer: object]>([
  ['optionalFields', { recipient_note: null, cancellable: null }, { ResponseCode: 1 }],
  ['optionalFields', { amount: null }, { ResponseMsg: 'Please enter amount' }],
  ['optionalFields', { amount: '' }, { ResponseMsg: 'Please enter amount' }],
  ['optionalFields', { recipients: [{ ...share(30), token: null }] }, { ResponseCode: 0 }],
  ['optionalFields', { recipients: [{ ...share(30), share: '' }] }, { ResponseCode: 0 }],
  ['ownWording', { recipients: [{ share: 30 }] }, { ResponseMsg: 'Invalid recipient token at index 0' }],
  ['unknownFields', { currency: 'EUR' }, { ResponseCode: 1 }],
  ['unknownFields', { recipients: [{ ...share(30), name: 'Courier' }] }, { ResponseCode: 1 }],
  ['checkOrder', { amount: '1', callback_url: [] }, { ResponseMsg: 'amount should be a finite number' }],
  ['addresses', { callback_url: 'myapp://done' }, { ResponseCode: 0 }],
  ['addresses', { callback_url: 'https://shop.example/a,b' }, { ResponseCode: 0 }],
  ['addresses', { payment_endpoint: 'HTTP://Shop.Example:80/{x}' }, { ResponseCode: 1 }],
  ['addresses', { payment_endpoint: 'http://shop.example/a b' }, { ResponseCode: 1 }],
  ['addresses', { payment_endpoint: '0,' }, { ResponseCode: 1 }],
  ['addresses', { payment_endpoint: '0, 1' }, { ResponseCode: 1 }],
  ['addresses', { callback_url: '01' }, { ResponseCode: 1 }],
  ['addresses', { callback_url: ' ' }, { ResponseCode: 1 }],
  ['repeatedEntries', { recipients: [share(30), share(20)] }, { ResponseCode: 1 }],
])('the open point %s is named by an answer to %j', async ([name, fields, answer], { sandbox }) => {
  const ask = (body: object) =>
    sandbox.call('createSplitLink', { amount: 1, recipients: [share(30)], ...body })
  const usual = await ask({
    recipient_note: 'Order 7',
    callback_url: 'https://shop.example/a%2Cb?x=1',
    payment_endpoint: 'http://shop.example,0',
  })
  const unusual = await ask(fields)

  expect(unusual.envelope).toMatchObject(answer)
  expect(assumedBy(unusual)).toContain(name)
  expect(assumedBy(usual)).not.toContain(name)
})

const FIELDS = [...endpoints].flatMap(([operation, { fields }]) =>
  [...fields.paths].filter((path) => !path.includes('.')).map((field) => [operation, field] as const),
)

test.for(FIELDS)('an empty field counts as missing: %s, %s', async ([operation, field], { sandbox }) => {
  const smallest: Readonly<Record<string, unknown>> = SMALLEST_BODIES[operation as Operation]
  const { [field]: _, ...without } = smallest
  const missing = await sandbox.call(operation, without)
  for (const empty of ['', null]) {
    const answer = await sandbox.call(operation, { ...smallest, [field]: empty })
    expect(answer.envelope.ResponseMsg).toBe(missing.envelope.ResponseMsg)
    expect(assumedBy(answer)).toContain('optionalFields')
  }
})

test.for<[first: string, request: { operation?: string; method?: string; token?: string; type?: string }]>([
  ['Unknown operation', { operation: 'pay', method: 'GET', token: '', type: 'text/plain' }],
  ['Use POST', { method: 'GET', token: '', type: 'text/plain' }],
  ['Incorrect token', { token: '', type: 'text/plain' }],
  ['Content-Type should be', { type: 'text/plain' }],
  ['The request body is not valid JSON', {}],
])('if a call has several mistakes, "%s" is answered first', async ([first, request], { sandbox }) => {
  const {
    operation = 'createLink',
    method = 'POST',
    token = shop.apiKey,
    type = 'application/json',
  } = request
  const response = await fetch(`${sandbox.url}/api/v2/${operation}`, {
    method,
    headers: { token, 'content-type': type },
    ...(method === 'POST' && { body: '{"amount":' }),
  })
  expect(await response.json()).toMatchObject({ ResponseMsg: expect.stringContaining(first) })
})

test.for([
  ['nested too deeply', `{"other":${'['.repeat(32)}${']'.repeat(32)}}`],
  ['too large', `{"other":"${'x'.repeat(MAX_BODY_BYTES)}"}`],
])('the answer to a body that is %s names the open point bodyLimits', async ([_what, body], { sandbox }) => {
  const answer = await sandbox.call('createLink', body)
  expect(answer.envelope.ResponseCode).toBe(0)
  expect(assumedBy(answer)).toContain('bodyLimits')
})

test('a page after the last page is empty', async ({ sandbox }) => {
  for (const page of [99, 1e20]) {
    const answer = await sandbox.call('getTaxInvoiceList', { page, search: 'June' })
    expect(answer.envelope).toMatchObject({ ResponseCode: 1, data: [] })
    expect(assumedBy(answer)).toContain('invoiceOrder')
  }
})

test('a recipient who is named twice gets both shares, without a fee', async ({ sandbox }) => {
  const { id } = await sandbox.createLink({ recipients: [share(30), share(20)] })
  const { answer } = await pay(sandbox, id)
  expect(answer.link).toMatchObject({ payout: { recipients: [{ amount: 30 }, { amount: 20 }], owner: 50 } })
})

test('an answer repeats an address as it was sent, and the redirect uses it as a browser does', async ({
  sandbox,
}) => {
  const address = 'HTTPS://Shop.Example:443/{a b}'
  const { id, callback_url } = await sandbox.createLink({ callback_url: address })
  expect(callback_url).toBe(address)
  const { answer } = await pay(sandbox, id)
  expect(answer.redirect?.location).toBe('https://shop.example/%7Ba%20b%7D?pay_id=1001&status=Success')
})

test.for([
  ['https://shop.example/done?status=open&pay_id=7', '?status=open&pay_id=7&pay_id=1001&status=Success'],
  ['https://shop.example/done?lang=de#paid', '?lang=de&pay_id=1001&status=Success#paid'],
])('the redirect to %s appends its parameters and names the assumption', async ([url, end], { sandbox }) => {
  const { id } = await sandbox.createLink({ callback_url: url })
  const paid = await pay(sandbox, id)
  expect(paid.answer.redirect?.location).toBe(`https://shop.example/done${end}`)
  expect(assumedBy(paid)).toContain('redirectQuery')
})

test('a redirect to an address without pay_id and status does not depend on redirectQuery', async ({
  sandbox,
}) => {
  const { id } = await sandbox.createLink({ callback_url: 'https://shop.example/done?order=7' })
  expect(assumedBy(await pay(sandbox, id))).not.toContain('redirectQuery')
})

test('after a bank transfer, the browser returns when it is approved', async ({ sandbox }) => {
  const { id, pay_link } = await sandbox.createLink({ callback_url: 'https://shop.example/done' })
  const submitted = await sandbox.submit(pay_link, { outcome: 'pay', method: 'bank-transfer' })
  expect(submitted.headers.get('location')).toContain('waiting')

  const approved = await sandbox.control('POST', `/links/${id}/approve-transfer`)
  expect(approved.answer.redirect).toBe(null)
  const returned = await fetch(`${pay_link}&waiting`, { redirect: 'manual' })
  expect(returned.headers.get('location')).toBe('https://shop.example/done?pay_id=1001&status=Success')
  expect(assumedBy(returned)).toContain('transferRedirect')
})

test('a redirect of the receiver is not followed, and the report names that assumption', async ({
  sandbox,
}) => {
  await using receiver = await startReceiver((_received, response) =>
    response.writeHead(307, { location: '/elsewhere' }).end(),
  )
  const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
  expect(reported(sandbox)).not.toContain('webhookAnswer')
  const { answer } = await pay(sandbox, id)

  expect(answer.deliveries[0]).toMatchObject({ state: 'failed' })
  expect(receiver.received.map(({ path }) => path)).toEqual(['/webhook'])
  expect(reported(sandbox)).toContain('webhookAnswer')
})

test.for([
  ['pay', {}],
  ['cancel', { cancelWebhook: 'skip' }],
] as const)(
  '%s does not name the behavior order if there is no webhook',
  async ([action, more], { sandbox }) => {
    await sandbox.control('PATCH', '/behaviors', { order: 'webhook-first', ...more })
    await sandbox.control('PATCH', `/accounts/${shop.id}`, { paymentEndpoint: '' })
    const { id } = await sandbox.createLink({ callback_url: 'https://shop.example/done' })

    const ended = await sandbox.control('POST', `/links/${id}/${action}`)

    expect(ended.answer.redirect).not.toBe(null)
    expect(assumedBy(ended)).not.toContain('order')
  },
)

test('redirect and webhook that are sent together do not name the behavior order', async ({
  sandbox,
  receiver,
}) => {
  const { id } = await sandbox.createLink({
    callback_url: 'https://shop.example/done',
    payment_endpoint: receiver.url,
  })
  const paid = await pay(sandbox, id)
  expect(paid.answer.deliveries).toMatchObject([{ state: 'delivered' }])
  expect(assumedBy(paid)).not.toContain('order')
})

test('a webhook has no header that could be a signature', async ({ sandbox, receiver }) => {
  const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
  expect(assumedBy(await pay(sandbox, id))).toContain('webhookSignature')
  expect(receiver.received[0]!.rawHeaders.filter((_text, index) => index % 2 === 0)).toEqual([
    'host',
    'connection',
    'user-agent',
    'accept',
    'content-type',
    'content-length',
  ])
})

const CONFLICT = 409

test('a link is paid or cancelled once, and a declined link can still be paid', async ({ sandbox }) => {
  const create = async () => (await sandbox.createLink()).id
  const act = async (id: number, action: string, body?: object) =>
    (await sandbox.rawControl('POST', `/links/${id}/${action}`, body)).status

  const declined = await create()
  expect([await act(declined, 'decline'), await act(declined, 'pay')]).toEqual([200, 200])
  expect([await act(declined, 'pay'), await act(declined, 'cancel')]).toEqual([CONFLICT, CONFLICT])
  expect(reported(sandbox)).toContain('linkStates')

  const cancelled = await create()
  expect([await act(cancelled, 'cancel'), await act(cancelled, 'pay')]).toEqual([200, CONFLICT])

  const awaiting = await create()
  expect(await act(awaiting, 'pay', { method: 'bank-transfer' })).toBe(200)
  expect([await act(awaiting, 'cancel'), await act(awaiting, 'pay')]).toEqual([CONFLICT, CONFLICT])
  expect([await act(awaiting, 'reject-transfer'), await act(awaiting, 'pay')]).toEqual([200, 200])
})

test('a link never expires', async ({ sandbox }) => {
  const { id } = await sandbox.createLink()
  await sandbox.control('POST', '/clock/advance', { months: 120 })
  expect((await pay(sandbox, id)).answer.link).toMatchObject({ status: 'paid' })
})

test('sendWebhookViaPayId sends the webhook of a cancellation with its amount, even if none was sent before', async ({
  sandbox,
  receiver,
}) => {
  await sandbox.control('PATCH', `/behaviors?account=${shop.id}`, { cancelWebhook: 'skip' })
  const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
  await sandbox.control('POST', `/links/${id}/cancel`)
  await sandbox.settled()
  expect(receiver.received).toEqual([])

  await sandbox.call('sendWebhookViaPayId', { pay_ids: String(id), status: 'cancel' })
  await sandbox.settled()
  expect(receiver.received[0]!.pairs).toMatchObject({ 'data[status]': 'cancel', 'data[amount]': '100' })
})

test('the invoices of a new sandbox are computed and dated as the table says', async ({ sandbox }) => {
  const { envelope } = await sandbox.call<
    {
      total_secpaid_fee: number
      total_psp_fee: number
      vat: number
      invoice_date: string
      created_at: string
    }[]
  >('getTaxInvoiceList', { limit: 100 })

  expect(envelope.data.length).toBeGreaterThan(0)
  for (const { total_secpaid_fee: platform, total_psp_fee: psp, vat, ...dates } of envelope.data) {
    expect((psp * 100) % 25).toBe(0)
    expect(vat).toBeCloseTo((platform + psp) * 0.19, 2)
    expect(dates.created_at).toBe(`${dates.invoice_date} 00:00:00`)
  }
})

test('invoice_id begins with the month of issue', async ({ sandbox }) => {
  const listed = await sandbox.call<{ invoice_id: string; invoice_date: string }[]>('getTaxInvoiceList', {})
  expect(assumedBy(listed)).toContain('invoiceNumbers')
  for (const { invoice_id: number, invoice_date: date } of listed.envelope.data) {
    expect(number).toMatch(new RegExp(`^${date.slice(0, 7).replace('-', '')}-sf-[0-9A-F]{10}$`))
  }
  expect(assumedBy(await sandbox.call('getTaxInvoiceList', { search: 'no such' }))).not.toContain(
    'invoiceNumbers',
  )
})
