import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import type { Case } from '../../server/api/document/examples.ts'
import type { DocumentChecker } from '../../scripts/fuzz/document-checker.js'
import { documents, errorCodeOf } from '../support/documents.ts'
import { openSandbox, production, recipients, shop, type OpenSandbox } from '../support/sandbox.ts'
import { reachableFrom, usesOf } from '../support/sources.ts'
import { test } from '../support/test.ts'

const OPERATIONS = {
  createSplitLink: 'create-split-link',
  createLink: 'create-link',
  refundPayment: 'refund-payment',
  getTaxInvoiceList: 'get-tax-invoice-list',
  sendWebhookViaPayId: 'send-webhook-via-pay-id',
} as const

type Operation = keyof typeof OPERATIONS

const operations = Object.keys(OPERATIONS) as Operation[]

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
const QUOTING = new Set([
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
  `${status} ${QUOTING.has(code) ? code : message.replace(/\d+/g, '0')}`

describe('the contract', () => {
  const folder = new URL('../../fixtures/contract/', import.meta.url)
  const cases = readdirSync(folder).flatMap(
    (file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Case[],
  )

  test.each(cases.map((one) => [`${one.request.operation}: ${one.name}`, one] as const))(
    '%s',
    async (_name, { request, answer }) => {
      const { api } = await documents()
      const place = ['paths', `/api/v2/${request.operation}`, 'post'] as const
      if (!(request.operation in OPERATIONS)) return
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

/** Requests that an operation refuses because of the state of links. `prepare` makes the links. */
const BAD: Readonly<Record<Operation, readonly object[]>> = {
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
    { pay_ids: '9999' },
    { pay_ids: '1001' },
    { pay_ids: '1002', status: 'cancel' },
    { pay_ids: '1006' },
  ],
}

/**
 * Makes an unused, a paid, a cancelled, a refunded and a disputed link, and one without a webhook target.
 */
async function prepare({ call, control, createLink }: OpenSandbox): Promise<void> {
  for (let links = 0; links < 5; links++) await createLink({ payment_endpoint: 'http://127.0.0.1:9/' })
  await createLink()
  await control('PATCH', `/accounts/${shop.id}`, { paymentEndpoint: '' })
  for (const id of [1002, 1004, 1005, 1006]) {
    await control('POST', `/links/${id}/pay`, { wait: 'accepted' })
  }
  await control('POST', '/links/1003/cancel', { wait: 'accepted' })
  await call('refundPayment', { pay_id: 1004, refund_amount: 1 })
  await control('PUT', '/links/1005/dispute')
}

/** Needs a database in which all ids are used up: test/control/account-ids.test.ts has one. */
const GIVEN_ELSEWHERE = 'idsUsedUp'

const DEEP = `{"a":${'['.repeat(40)}${']'.repeat(40)}}`

test.each(operations)('%s returns every error that the document lists', async (name) => {
  await using sandbox = await openSandbox({ behaviors: { errorStatus: 'http' } })
  await prepare(sandbox)
  const given = new Set<string>()
  const ask = async (body: unknown, headers: Record<string, string> = {}): Promise<void> => {
    const { status, envelope, headers: answered } = await sandbox.call(name, body, headers)
    const code = answered.get('sandbox-error')
    if (code !== null) given.add(errorKey({ status, code, message: envelope.ResponseMsg }))
  }

  for (const token of ['', 'nobodys', production.apiKey]) await ask({}, { token })
  await ask('{}', { 'content-type': 'text/plain' })
  for (const text of ['', '[]', DEEP, ' '.repeat(1024 * 1024 + 1)]) await ask(text)
  const notText = await fetch(`${sandbox.url}/api/v2/${name}`, {
    method: 'POST',
    headers: { token: shop.apiKey, 'content-type': 'application/json' },
    body: new Uint8Array([0xff]),
  })
  const { ResponseMsg: message } = (await notText.json()) as { ResponseMsg: string }
  given.add(errorKey({ status: notText.status, code: notText.headers.get('sandbox-error')!, message }))

  for (const field of Object.keys(COMPLETE[name])) {
    for (const wrong of WRONG) await ask({ ...COMPLETE[name], [field]: wrong })
  }
  for (const bad of BAD[name]) await ask({ ...COMPLETE[name], ...bad })
  await sandbox.control('PATCH', '/behaviors', { https: 'required' })
  await ask({ ...COMPLETE[name], callback_url: 'http://shop.example/' })
  await sandbox.control('PATCH', '/behaviors', { rateLimit: '1/min' })
  await ask(COMPLETE[name])

  const { api } = await documents()
  const missing = listErrors(api, name).filter(
    (error) => error.code !== GIVEN_ELSEWHERE && !given.has(errorKey(error)),
  )
  expect(missing).toEqual([])
})

/** Errors in the sources of an operation that it cannot return, and why. */
const NOT_RAISED: { readonly [Name in Operation]?: readonly string[] } = {
  // Its only required field has an error of its own.
  createLink: ['missing'],
  // It has no field for text, and its required fields have errors of their own.
  refundPayment: ['missing', 'notUnicode'],
  // It has no required field.
  getTaxInvoiceList: ['missing'],
  // Its targets were resolved when the link was created.
  sendWebhookViaPayId: ['entryInvalid', 'indexOutOfRange'],
}

test.each(operations)('the document lists every error of %s', async (name) => {
  const { api } = await documents()
  const listed = new Set(listErrors(api, name).map(({ code }) => code))
  const sources = reachableFrom(`server/api/operations/${OPERATIONS[name]}.ts`)
  const raised = usesOf(/\b(?:apiError|errorDetails|issue)\('(\w+)'/g, sources)

  const left = raised.filter((one) => !listed.has(one) && !NOT_RAISED[name]?.includes(one))
  expect(left).toEqual([])
})

test.each(operations)('the document lists every open point of %s', async (name) => {
  const { api } = await documents()
  const told = operationOf(api, name)['x-sandbox-behaviors']!
  const sources = reachableFrom(`server/api/operations/${OPERATIONS[name]}.ts`)
  const relied = usesOf(/\b(?:use|peek|markAssumptions)\(([^()]*)\)/g, sources).flatMap((names) =>
    [...names.matchAll(/'(\w+)'/g)].map((match) => match[1]!),
  )
  expect(relied.filter((one) => !told.includes(one))).toEqual([])
})

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

test('redirects have the parameters in the document', async ({ sandbox }) => {
  await sandbox.createLink({ callback_url: 'https://shop.example/thanks?lang=de' })
  const { answer } = await sandbox.control<{ redirect: { location: string } }>('POST', '/links/1001/pay')

  const { api } = await documents()
  const told = api.document.webhooks!.redirect!.get!.parameters!.map(({ name }) => name)
  expect([...new URL(answer.redirect.location).searchParams.keys()]).toEqual(['lang', ...told])
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

test('the document names the address of the request as its server', async () => {
  await using sandbox = await openSandbox({ publicUrl: 'https://pay.example' })
  const response = await fetch(`${sandbox.url}/openapi.json`)
  const { servers } = (await response.json()) as { servers: { url: string }[] }
  expect(servers[0]!.url).toBe('https://pay.example')
})
