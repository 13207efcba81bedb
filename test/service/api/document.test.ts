import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { isOperation, operations, type Operation } from '../../../server/domain/api/operations.ts'
import type { Case } from '../../../server/service/api/document/examples.ts'
import type { DocumentChecker } from '../../support/document-checker.ts'
import { documents, errorCodeOf } from '../../support/documents.ts'
import { openSandbox, production, recipients, shop, type OpenSandbox } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

const operationOf = ({ document }: DocumentChecker, name: Operation) =>
  document.paths[`/api/v2/${name}`]!.post!

const requestPlace = (name: string) =>
  ['paths', `/api/v2/${name}`, 'post', 'requestBody', 'content', 'application/json', 'schema'] as const

interface ListedError {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** The errors that the document lists for an operation. */
const listErrors = (api: DocumentChecker, name: Operation): ListedError[] =>
  Object.entries(operationOf(api, name).responses)
    .filter(([status]) => status !== '200')
    .flatMap(([status, { content }]) =>
      Object.entries(content!['application/json']!.examples!).map(([example, { summary = '' }]) => ({
        status: Number(status),
        code: errorCodeOf(example),
        message: summary,
      })),
    )

/** Errors whose message quotes the request. They are compared by code, all others by message. */
const ERRORS_WITH_QUOTES = new Set([
  'bodyNotJson',
  'contentTypeNotJson',
  'entryInvalid',
  'indexOutOfRange',
  'notHttps',
  'payIdInvalid',
  'sharesExceed',
  'tooManyRequests',
])

const errorKey = ({ status, code, message }: ListedError): string =>
  `${status} ${ERRORS_WITH_QUOTES.has(code) ? code : message.replace(/\d+/g, '0')}`

describe('the contract', () => {
  const folder = new URL('../../../fixtures/contract/', import.meta.url)
  const cases = readdirSync(folder).flatMap(
    (file) =>
      JSON.parse(
        readFileSync(new URL(file, folder), 'utf8').replaceAll('{base_url}', 'http://127.0.0.1'),
      ) as Case[],
  )

  test.each(cases.map((one) => [`${one.request.operation}: ${one.name}`, one] as const))(
    '%s',
    async (_name, { request, answer }) => {
      const { api } = await documents()
      const place = ['paths', `/api/v2/${request.operation}`, 'post'] as const
      if (!isOperation(request.operation)) return
      const answers = [...place, 'responses', String(answer.status), 'content', 'application/json', 'schema']

      expect(api.problemsOf(answer.body, ...answers)).toEqual([])
      if (answer.body.ResponseCode === 1) {
        expect(api.problemsOf(request.body, ...requestPlace(request.operation))).toEqual([])
      }
    },
  )

  test('a request without an amount is invalid', async () => {
    const { api } = await documents()
    expect(api.problemsOf({ recipients }, ...requestPlace('createSplitLink'))).not.toEqual([])
  })
})

/** Values that are wrong for most fields. */
const WRONG = [null, '', 'x', '\ud800', true, 0, 0.001, 1.5, 1e12, [], {}, '1,'.repeat(2000)] as const

const COMPLETE: Readonly<Record<Operation, object>> = {
  createSplitLink: {
    amount: 100,
    recipients,
    split_type: 'normal',
    recipient_note: '',
    callback_url: '',
    payment_endpoint: '',
    cancellable: true,
    is_qr_link: true,
  },
  createLink: {
    amount: 100,
    recipient_note: '',
    callback_url: '',
    payment_endpoint: '',
    cancellable: true,
    is_qr_link: true,
    bank_transfer: true,
    bank_statement_description: '',
  },
  refundPayment: { pay_id: 1002, refund_amount: 1, isFullRefund: false },
  getTaxInvoiceList: { page: 1, limit: 1, search: '', date: '' },
  sendWebhookViaPayId: { pay_ids: '1002', status: 'Success' },
}

const addresses = ['shop.example', '7', '0,'.repeat(200)].flatMap((address) => [
  { callback_url: address },
  { payment_endpoint: address },
])

const splits = [
  { recipients: [{ token: 'nobodys', share: 1 }] },
  { recipients: [{ token: shop.recipientToken, share: 1 }] },
  { recipients: [{ ...recipients[0], share: 0 }] },
  { recipients: [{ ...recipients[0], share: 101 }] },
  { amount: 50.5, split_type: 'absolute', recipients: [{ ...recipients[0], share: 51 }] },
  { split_type: 'absolute', recipients: [{ ...recipients[0], share: 1.005 }] },
  { recipients: Array(1001).fill(recipients[0]) },
  { recipients: [1] },
  ...WRONG.flatMap((wrong) => [
    { recipients: [{ ...recipients[0], token: wrong }] },
    { recipients: [{ ...recipients[0], share: wrong }] },
  ]),
]

/** Requests that an operation refuses because of the state of links. `prepare` creates the links. */
const REFUSED_CALLS: Readonly<Record<Operation, readonly object[]>> = {
  createSplitLink: [...addresses, ...splits],
  createLink: addresses,
  refundPayment: [
    { pay_id: 9999 },
    { pay_id: 1003 },
    { pay_id: 1004 },
    { pay_id: 1005 },
    { refund_amount: 1000 },
  ],
  getTaxInvoiceList: [],
  sendWebhookViaPayId: [
    { pay_ids: ',' },
    { pay_ids: '9999' },
    { pay_ids: '1001' },
    { pay_ids: '1002', status: 'cancel' },
    { pay_ids: '1006' },
  ],
}

/** Requests whose answers depend on open points that few answers depend on. */
const CALLS_WITH_OPEN_POINTS: Readonly<
  Record<Operation, readonly { readonly with?: object; readonly body: object }[]>
> = {
  createSplitLink: [
    { body: { payment_endpoint: 'http://127.0.0.1:9/,http://127.0.0.1:9/' } },
    { with: { numericStrings: 'accept' }, body: { amount: '100' } },
  ],
  createLink: [
    { body: { payment_endpoint: 'http://127.0.0.1:9/,http://127.0.0.1:9/' } },
    { with: { numericStrings: 'accept' }, body: { amount: '100' } },
  ],
  refundPayment: [
    { body: { pay_id: 1009 } },
    { body: { pay_id: 1001 } },
    { body: { pay_id: 1007 } },
    { body: { pay_id: 1008 } },
    { body: { pay_id: 1006, isFullRefund: true } },
    { with: { numericStrings: 'accept' }, body: { refund_amount: '1' } },
  ],
  getTaxInvoiceList: [
    { with: { numericStrings: 'accept' }, body: { page: '1' } },
    { body: { date: '2026-05' } },
  ],
  sendWebhookViaPayId: [{ with: { retries: '5s' }, body: { pay_ids: '1002,1002' } }],
}

/** The open points that these requests depend on. */
const RARE_OPEN_POINTS: Readonly<Record<Operation, readonly string[]>> = {
  createSplitLink: ['amountDecimals', 'amountLimit', 'repeatedEntries', 'numericStrings', 'booleanAsText'],
  createLink: ['amountDecimals', 'amountLimit', 'repeatedEntries', 'numericStrings', 'textAsNumber'],
  refundPayment: [
    'refundUnpaid',
    'rejectedRefund',
    'disputeOutcome',
    'wonDispute',
    'fullRefundAmount',
    'numericStrings',
    'amountDecimals',
    'booleanAsText',
  ],
  getTaxInvoiceList: ['emptyBody', 'invoiceMonth', 'invoiceOrder', 'numericStrings', 'textAsNumber'],
  sendWebhookViaPayId: ['repeatedEntries', 'resendStatus', 'retries'],
}

/**
 * Makes links: 1001 unused, 1002 paid, 1003 cancelled, 1004 with a refund, 1005 disputed, 1006 without a webhook
 * target, 1007 with a rejected refund, 1008 with a dispute that the customer
 * won, and 1009 with one that the customer lost.
 */
async function prepare({ call, control, createLink }: OpenSandbox): Promise<void> {
  for (let links = 0; links < 5; links++) await createLink({ payment_endpoint: 'http://127.0.0.1:9/' })
  await control('PATCH', `/accounts/${shop.id}`, { paymentEndpoint: '' })
  for (let links = 0; links < 4; links++) await createLink()
  for (const id of [1002, 1004, 1005, 1006, 1007, 1008, 1009]) {
    await control('POST', `/links/${id}/pay`, { wait: 'accepted' })
  }
  await control('POST', '/links/1003/cancel', { wait: 'accepted' })
  for (const pay_id of [1004, 1007]) await call('refundPayment', { pay_id, refund_amount: 1 })
  await control('POST', '/refunds/1007/reject')
  for (const id of [1005, 1008, 1009]) await control('PUT', `/links/${id}/dispute`)
  await control('DELETE', '/links/1008/dispute?outcome=won')
  await control('DELETE', '/links/1009/dispute?outcome=lost')
}

/** This error needs a database without free ids, as test/control/account-ids.test.ts has one. */
const TESTED_ELSEWHERE = 'idsUsedUp'

const DEEP = `{"a":${'['.repeat(40)}${']'.repeat(40)}}`

interface Answered {
  readonly errors: ReadonlySet<string>
  /** The behaviors that answers depended on. */
  readonly behaviors: ReadonlySet<string>
}

const answered = new Map<Operation, Promise<Answered>>()

/**
 * Calls an operation with every possible mistake, once for all tests. `call` throws if an answer has an error or a behavior
 * that the document does not list.
 */
function callWithEveryMistake(name: Operation): Promise<Answered> {
  const known = answered.get(name)
  if (known !== undefined) return known
  const calls = makeCalls(name)
  answered.set(name, calls)
  return calls
}

async function makeCalls(name: Operation): Promise<Answered> {
  await using sandbox = await openSandbox({ behaviors: { errorStatus: 'http' } })
  await prepare(sandbox)
  const errors = new Set<string>()
  const behaviors = new Set<string>()
  const note = (status: number, headers: Headers, message: string): void => {
    const code = headers.get('sandbox-error')
    for (const one of headers.get('sandbox-assumed')?.split(', ') ?? []) behaviors.add(one)
    if (code !== null) errors.add(errorKey({ status, code, message }))
  }
  const ask = async (body: unknown, headers: Record<string, string> = {}): Promise<void> => {
    const answer = await sandbox.call(name, body, headers)
    note(answer.status, answer.headers, answer.envelope.ResponseMsg)
  }

  for (const token of ['', 'nobodys', production.apiKey]) await ask({}, { token })
  await ask('{}', { 'content-type': 'text/plain' })
  for (const text of ['', '{', '[]', DEEP, ' '.repeat(1024 * 1024 + 1)]) await ask(text)
  for (const encoding of ['identity', 'gzip']) {
    const notText = await fetch(`${sandbox.url}/api/v2/${name}`, {
      method: 'POST',
      headers: { token: shop.apiKey, 'content-type': 'application/json', 'content-encoding': encoding },
      body: new Uint8Array([0xff]),
    })
    const { ResponseMsg: message } = (await notText.json()) as { ResponseMsg: string }
    note(notText.status, notText.headers, message)
  }

  for (const field of Object.keys(COMPLETE[name])) {
    for (const wrong of WRONG) await ask({ ...COMPLETE[name], [field]: wrong })
  }
  for (const bad of REFUSED_CALLS[name]) await ask({ ...COMPLETE[name], ...bad })
  for (const { with: choices, body } of CALLS_WITH_OPEN_POINTS[name]) {
    await sandbox.control('PATCH', '/behaviors', { numericStrings: 'refuse', retries: 'none', ...choices })
    await ask({ ...COMPLETE[name], ...body })
  }
  await sandbox.control('PATCH', '/behaviors', { https: 'required' })
  await ask({ ...COMPLETE[name], callback_url: 'http://shop.example/' })
  await sandbox.control('PATCH', '/behaviors', { rateLimit: '1/min' })
  await ask(COMPLETE[name])
  return { errors, behaviors }
}

test.each(operations)(
  'the operation %s returns every error that the OpenAPI document lists',
  async (name) => {
    const { errors } = await callWithEveryMistake(name)
    const { api } = await documents()
    const missing = listErrors(api, name).filter(
      (error) => error.code !== TESTED_ELSEWHERE && !errors.has(errorKey(error)),
    )
    expect(missing).toEqual([])
  },
)

test.each(operations)(
  'the OpenAPI document lists every open point that answers of %s depend on',
  async (name) => {
    const { behaviors } = await callWithEveryMistake(name)
    const { api } = await documents()
    const listed = operationOf(api, name)['x-sandbox-behaviors']!
    expect([...behaviors].filter((one) => !listed.includes(one))).toEqual([])
    expect([...behaviors]).toEqual(expect.arrayContaining([...RARE_OPEN_POINTS[name]]))
  },
)

test.for(['form', 'json'] as const)(
  'webhooks sent as %s match the document',
  async (webhookEncoding, { receiver }) => {
    await using sandbox = await openSandbox({ behaviors: { webhookEncoding } })
    await sandbox.createLink({ payment_endpoint: receiver.url, recipient_note: 'Order 7 & more' })
    await sandbox.control('POST', '/links/1001/pay')
    const { contentType, body } = receiver.received[0]!

    const { api } = await documents()
    const place = ['webhooks', 'webhook', 'post', 'requestBody', 'content', contentType, 'schema']
    const value: unknown = webhookEncoding === 'json' ? JSON.parse(body) : typed(new URLSearchParams(body))
    expect(api.problemsOf(value, ...place)).toEqual([])
    expect(api.problemsOf({}, ...place)).not.toEqual([])
  },
)

/** Form values are text, so texts that look like numbers are read as numbers. */
const typed = (form: URLSearchParams) =>
  Object.fromEntries([...form].map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]))

test('redirects have the parameters that the OpenAPI document lists', async ({ sandbox }) => {
  await sandbox.createLink({ callback_url: 'https://shop.example/thanks?lang=de' })
  const { answer } = await sandbox.control('POST', '/links/1001/pay')

  const { api } = await documents()
  const told = api.document.webhooks!.redirect!.get!.parameters!.map(({ name }) => name)
  expect([...new URL(answer.redirect!.location).searchParams.keys()]).toEqual(['lang', ...told])
})

test('every field of the API has a description', async () => {
  const { api } = await documents()
  const bare = Object.entries(api.document.components.schemas).flatMap(([schema, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([, field]) => field.$ref === undefined && field.description === undefined)
      .map(([field]) => `${schema}.${field}`),
  )
  expect(bare).toEqual(['WebhookJson.data'])
})

test('the OpenAPI document names the address of the request as its server', async () => {
  await using sandbox = await openSandbox({ publicUrl: 'https://pay.example' })
  const response = await fetch(`${sandbox.url}/openapi.json`)
  const { servers } = (await response.json()) as { servers: { url: string }[] }
  expect(servers[0]!.url).toBe('https://pay.example')
})
