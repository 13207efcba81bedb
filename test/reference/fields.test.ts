import { expect, test } from 'vitest'
import { openPoints } from '../../server/domain/behaviors/open-points.ts'
import type { Document, SchemaObject } from '../../server/platform/openapi/document.ts'
import { documents } from '../support/documents.ts'

/** The tables of fields in the API reference, in the same sequence, with type, default, format and limits. */

const text = { type: 'string' }
const integer = { type: 'integer' }
const number = { type: 'number' }
const boolean = { type: 'boolean' }
const uuid = { type: 'string', format: 'uuid' }
const date = { type: 'string', format: 'date' }
const time = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$' }
const flag = { type: 'string', enum: ['true', 'false'] }
const always = (value: string | number) => ({
  type: typeof value === 'string' ? 'string' : 'integer',
  const: value,
})

const answer = (message: string) => ({
  ResponseCode: always(1),
  ResponseMsg: always(message),
  Result: always('True'),
  ServerTime: text,
})

const webhook = {
  ResponseCode: always(1),
  'data[pay_id]': integer,
  'data[note]': text,
  'data[amount]': number,
  'data[user_id]': uuid,
  'data[status]': { type: 'string', enum: ['Success', 'cancel'] },
}

const request = (operation: string) =>
  `/paths/~1api~1v2~1${operation}/post/requestBody/content/application~1json/schema`

/** The place of each table in the document, and its fields. */
const TABLES: Readonly<Record<string, Readonly<Record<string, SchemaObject>>>> = {
  '/components/schemas/Error': {
    ResponseCode: always(0),
    ResponseMsg: text,
    Result: always('False'),
    ServerTime: text,
  },
  '/components/schemas/CreateSplitLinkAnswer': {
    ...answer('Link has been created successfully'),
    data: {},
  },
  '/components/schemas/SplitLink': {
    id: integer,
    user_id: uuid,
    amount: number,
    recipient_note: text,
    status: always('Unused'),
    paymentEndpoint: text,
    callback_url: text,
    servicefee: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
    recipients: { type: 'string', contentMediaType: 'application/json' },
    is_split_link: always('true'),
    split_type: { type: 'string', enum: ['normal', 'absolute'] },
    bank_transfer: flag,
    is_qr_link: flag,
    is_cancellation: always('No'),
    payment_config: text,
    bank_statement_description: text,
    created_at: time,
    pay_link: { type: 'string', format: 'uri', pattern: '/payment\\?link_id=.+' },
    qr_img: { type: 'string', format: 'uri-reference' },
    transaction_type: always('Split'),
  },
  [`${request('createSplitLink')}/properties/recipients/items`]: {
    token: text,
    share: { type: 'number', exclusiveMinimum: 0 },
  },
  '/components/schemas/TaxInvoice': {
    sf_id: text,
    user_id: uuid,
    invoice_id: { type: 'string', pattern: '^\\d{6}-sf-.{10}$' },
    invoice_date: date,
    service_month: { type: 'string', pattern: '^[A-Z][a-z]+ \\d{4}$' },
    total_secpaid_fee: number,
    total_psp_fee: number,
    vat: number,
    company: text,
    name: text,
    street: text,
    house_no: text,
    city: text,
    country: text,
    zipcode: text,
    created_at: time,
  },
  [request('createSplitLink')]: {
    amount: { type: 'number', exclusiveMinimum: 0 },
    recipients: { type: 'array' },
    split_type: { type: 'string', enum: ['normal', 'absolute'], default: 'normal' },
    recipient_note: text,
    callback_url: text,
    payment_endpoint: text,
    cancellable: { type: 'boolean', default: true },
    is_qr_link: boolean,
  },
  [request('createLink')]: { amount: number },
  [request('refundPayment')]: {
    pay_id: integer,
    refund_amount: { type: 'number', exclusiveMinimum: 0 },
    isFullRefund: boolean,
  },
  '/components/schemas/RefundPaymentAnswer': answer(
    'Refund request has been sent successfully, You will get update within 5-10 days',
  ),
  [request('getTaxInvoiceList')]: {
    page: { type: 'integer', default: 1 },
    limit: { type: 'integer', default: 10 },
    search: text,
    date: { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$' },
  },
  '/components/schemas/GetTaxInvoiceListAnswer': {
    ...answer('List retrived successfully'),
    data: { type: 'array' },
    totalRecords: integer,
  },
  [request('sendWebhookViaPayId')]: { pay_ids: text, status: text },
  '/components/schemas/WebhookForm': webhook,
}

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  createSplitLink: ['amount', 'recipients'],
  createLink: [],
  refundPayment: ['pay_id', 'refund_amount'],
  getTaxInvoiceList: [],
  sendWebhookViaPayId: ['pay_ids', 'status'],
}

/** The keywords that limit a value. Others, such as examples, only explain it. */
const KEYWORDS = [
  'type',
  'const',
  'enum',
  'default',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'contentMediaType',
] as const satisfies readonly (keyof SchemaObject)[]

const at = (document: Document, place: string): SchemaObject =>
  place
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/'))
    .reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), document) as SchemaObject

const assumedParts = (schema: SchemaObject): string[] =>
  Object.values(schema['x-sandbox-assumed'] ?? {}).flat()

/** The keywords of a schema, without the keywords and the alternatives that are marked as assumed. */
function statedBy(schema: SchemaObject): SchemaObject {
  const { anyOf = [], ...outer } = schema
  const [value = {}, ...others] = anyOf.filter((one) => !assumedParts(one).includes('enum'))
  const isNullable = others.some(({ type }) => type === 'null')
  const joined: SchemaObject = isNullable
    ? { ...value, ...outer, type: [String(value.type), 'null'] }
    : others.length === 0
      ? { ...value, ...outer }
      : outer
  const assumed = assumedParts(schema)
  return Object.fromEntries(
    KEYWORDS.flatMap((keyword): [string, unknown][] => {
      if (joined[keyword] === undefined) return []
      if (!assumed.includes(keyword)) return [[keyword, joined[keyword]]]
      return keyword === 'type' ? [['type', withoutNull(joined)]] : []
    }),
  )
}

const withoutNull = ({ type = [] }: SchemaObject) => {
  const types = [type].flat().filter((one) => one !== 'null')
  return types.length === 1 ? types[0] : types
}

const fieldsOf = ({ properties = {} }: SchemaObject): [string, SchemaObject][] =>
  Object.entries(properties).filter(([, field]) => !assumedParts(field).includes('field'))

test.each(Object.entries(TABLES))('the fields at %s are those of the reference', async (place, fields) => {
  const { document } = (await documents()).api

  const stated = fieldsOf(at(document, place)).map(([name, field]) => [name, statedBy(field)])

  expect(stated).toEqual(Object.entries(fields))
})

test.each(Object.entries(REQUIRED))(
  '%s requires the fields that the reference requires',
  async (name, fields) => {
    const { document } = (await documents()).api
    const { properties, required = [] } = at(document, request(name))

    const stated = required.filter((field) => !assumedParts(properties![field]!).includes('required'))

    expect(stated).toEqual(fields)
  },
)

test('an answer always has every field that the reference shows', async () => {
  const { document } = (await documents()).api
  const answers = Object.keys(TABLES).filter((place) => place.startsWith('/components/'))

  for (const place of answers) {
    expect([place, at(document, place).required]).toEqual([place, Object.keys(TABLES[place]!)])
  }
})

/** Values that the reference shows or describes, and similar values that it excludes. */
test.each([
  ['SplitLink', 'created_at', ['2026-07-01 12:00:00'], ['2026-07-01T12:00:00Z', '2026-07-01']],
  [
    'SplitLink',
    'pay_link',
    ['http://127.0.0.1:4400/payment?link_id=MTAwMQ%3D%3D'],
    ['/payment?link_id=1', ''],
  ],
  ['SplitLink', 'user_id', ['00000000-0000-4000-8000-000000000001'], ['1001']],
  ['SplitLink', 'servicefee', ['1', '1.0', '2.75'], ['', 'one', '1,0']],
  ['TaxInvoice', 'invoice_id', ['202607-sf-7643D363A2'], ['2026-07-sf-7643D363A2', '202607-sf-7643']],
  ['TaxInvoice', 'invoice_date', ['2026-07-01'], ['2026-07', '01.07.2026', '2026-13-01']],
  ['TaxInvoice', 'service_month', ['June 2026'], ['2026-06', 'June']],
  ['WebhookForm', 'ResponseCode', [1], [0, '1']],
  ['WebhookForm', 'data[status]', ['Success', 'cancel'], ['paid', '']],
  ['Error', 'ResponseCode', [0], [1, false]],
  ['Error', 'Result', ['False'], [false, 'false']],
] as const)('%s.%s accepts the values of the reference only', async (schema, field, right, wrong) => {
  const { problemsOf } = (await documents()).api
  const isValid = (value: unknown) =>
    problemsOf(value, 'components', 'schemas', schema, 'properties', field).length === 0

  expect(right.filter((value) => !isValid(value))).toEqual([])
  expect(wrong.filter(isValid)).toEqual([])
})

test('every assumption about a field is an open point of its operations', async () => {
  const { document } = (await documents()).api
  const operations = [...Object.values(document.paths), ...Object.values(document.webhooks!)].flatMap(
    ({ post, get }) => post ?? get ?? [],
  )

  for (const { operationId, requestBody, responses, 'x-sandbox-behaviors': points } of operations) {
    const used = assumedBelow({ requestBody, responses }, document)
    expect([operationId, used.filter((point) => !points?.includes(point))]).toEqual([operationId, []])
    expect(used.filter((point) => !Object.hasOwn(openPoints, point))).toEqual([])
  }
})

test.each([
  ['createSplitLink', 'amount', 'maximum', 'amountLimit'],
  ['createLink', 'amount', 'maximum', 'amountLimit'],
  ['createSplitLink', 'amount', 'description', 'amountDecimals'],
  ['createLink', 'amount', 'description', 'amountDecimals'],
  ['createSplitLink', 'recipients', 'maxItems', 'repeatedEntries'],
  ['createSplitLink', 'recipients', 'minItems', 'ownWording'],
  ['getTaxInvoiceList', 'page', 'minimum', 'ownWording'],
  ['getTaxInvoiceList', 'date', 'description', 'invoiceMonth'],
  ['refundPayment', 'isFullRefund', 'default', 'optionalFields'],
])('%s.%s: the %s depends only on the assumption %s', async (operation, field, part, point) => {
  const { document } = (await documents()).api
  const { 'x-sandbox-assumed': assumed = {} } = at(document, request(operation)).properties![field]!

  const points = Object.entries(assumed).filter(([, parts]) => parts.includes(part))
  expect(points.map(([name]) => name)).toEqual([point])
})

/** The open points that a part of the document marks, including the components that it refers to. */
function assumedBelow(part: unknown, document: Document): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) => {
    if (key === 'x-sandbox-assumed') return Object.keys(Object(value))
    return key === '$ref'
      ? assumedBelow(at(document, String(value).slice(1)), document)
      : assumedBelow(value, document)
  })
}

test('the redirect has the parameters of the reference', async () => {
  const { document } = (await documents()).api
  const parameters = document.webhooks!.redirect!.get!.parameters!

  expect(parameters.map(({ name, schema }) => [name, statedBy(schema)])).toEqual([
    ['pay_id', integer],
    ['status', { type: 'string', enum: ['Success', 'cancel'] }],
  ])
})

test('only the spelling of a status that the reference does not show is marked as assumed', async () => {
  const { document } = (await documents()).api
  const { redirect } = document.webhooks!
  const inWebhook = at(document, '/components/schemas/WebhookForm').properties!['data[status]']!
  const inRedirect = redirect!.get!.parameters!.find(({ name }) => name === 'status')!.schema

  const alternatives = [
    { type: 'string', enum: ['Success', 'cancel'] },
    { type: 'string', enum: ['success'], 'x-sandbox-assumed': { statusText: ['enum'] } },
  ]
  expect(inWebhook.anyOf).toEqual(alternatives)
  expect(inRedirect.anyOf).toEqual(alternatives)
  expect(inWebhook.description).toContain('`resendStatus=as-given`')
  expect(inRedirect.description).not.toContain('resendStatus')
})

test('the API key is a header of every operation, and of no notification', async () => {
  const { document } = (await documents()).api

  expect(document.components.securitySchemes).toEqual({
    token: expect.objectContaining({ type: 'apiKey', in: 'header', name: 'token' }),
  })
  expect(document.security).toEqual([{ token: [] }])
  const notifications = Object.values(document.webhooks!).map(({ post, get }) => (post ?? get)!.security)
  expect(notifications).toEqual([[], []])
})

test('a webhook has an example of each outcome', async () => {
  const { document } = (await documents()).api
  const { content } = document.webhooks!.webhook!.post!.requestBody!

  const statuses = Object.values(content).map(({ examples = {} }) =>
    Object.values(examples).map(({ value }) => JSON.stringify(value).match(/"(Success|cancel)"/)?.[1]),
  )

  expect(statuses).toEqual([
    ['Success', 'cancel'],
    ['Success', 'cancel'],
  ])
})

/** The errors that the reference lists, with their operation. */
const ALL = ['Incorrect token or missing token']
const ERRORS: Readonly<Record<string, readonly string[]>> = {
  createSplitLink: [
    'Please enter token',
    'No user found with the provided API key.',
    ...ALL,
    'Please enter amount',
    'Invalid recipient token at index 0',
    'You cannot use your own token in recipient list at index 0',
    'Share should be greater than zero at index 0',
    'Share should be less than 100',
    'Share should be less than or equal to 50.5',
  ],
  createLink: ALL,
  refundPayment: [
    ...ALL,
    'Please enter pay_id',
    'Please enter refund_amount',
    'Invalid link ID',
    'Link is cancelled',
    'Refund already requested',
    'Refund blocked by dispute',
    'Invalid refund amount',
  ],
  getTaxInvoiceList: ALL,
  sendWebhookViaPayId: ALL,
}

test.each(Object.entries(ERRORS))(
  'the documented errors of %s are those of the reference',
  async (name, messages) => {
    const { document } = (await documents()).api
    const { examples = {} } =
      document.paths[`/api/v2/${name}`]!.post!.responses[200]!.content!['application/json']!

    const documented = Object.values(examples)
      .filter(({ description, value }) => description === undefined && Object(value).ResponseCode === 0)
      .map(({ value }) => value)

    expect(documented).toEqual(
      messages.map((ResponseMsg) => ({ ResponseCode: 0, ResponseMsg, Result: 'False', ServerTime: 'CEST' })),
    )
  },
)
