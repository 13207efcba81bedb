import fc from 'fast-check'
import { objectOf, oddJson, oddText } from './odd-values.js'

/**
 * @typedef {Record<string, any>} Schema
 * @typedef {import('fast-check').Arbitrary<unknown>} Values
 */

const TOKENS = [
  'devFlowerShopFakeApiKey00001',
  'devBikeCourierFakeApiKey0002',
  'rcpFlowerShopFakeToken00001',
  'rcpBikeCourierFakeToken0002',
]
const ACCOUNTS = [1, 2, 3, 4].map((number) => `00000000-0000-4000-8000-00000000000${number}`)
const ADDRESSES = [
  '/tunnel/fuzz',
  '/tunnel/flower-shop',
  'http://127.0.0.1:1/hook',
  'http://localhost:1/hook?a=b#c',
  'http://[::1]:1/',
  'https://shop.example/hook',
  'http://169.254.169.254/latest',
  '0',
  '0,1',
  '/tunnel/fuzz,http://127.0.0.1:1/hook,1',
]
const SCRIPTS = [
  '500',
  '500,pass,200',
  'latency:5ms',
  'refuse:No',
  'reset',
  'drop-request',
  'empty',
  'truncate',
  'drop',
  'delay:1s',
  'duplicate',
  'reorder',
  'slow:5ms',
  'lost',
  'status:paid',
  'pay-id:7',
  'content-type:text/x',
]
const SHORT_MS = [0, 1, 5, 50, 200]

/** Values for a key of this name. They exist in the sandbox, so that a call passes more than its validation. */
const KNOWN_VALUES = {
  token: TOKENS,
  apiKey: TOKENS,
  recipientToken: TOKENS,
  account: ACCOUNTS,
  accountId: ACCOUNTS,
  as: [...ACCOUNTS, 'one', 'two'],
  share: [0, 0.01, 1, 30, 33.3333, 50, 100],
  amount: [0.01, 1, 10, 99.99, 100, 999_999_999.99],
  refund_amount: [0.01, 1, 10, 100],
  pay_id: [1001, 1002, 1003, 1010, 700_001],
  pay_ids: ['1001', '1001,1002', '1003'],
  status: ['Success', 'cancel', 'paid', 'unused', 'cancelled', 200, 500],
  callback_url: ADDRESSES,
  payment_endpoint: ADDRESSES,
  paymentEndpoint: ADDRESSES,
  callbackUrl: ADDRESSES,
  url: ADDRESSES,
  to: [...ADDRESSES, 'seed', 'empty', 'next-month'],
  from: ['https://shop.example', 'https://*.shop.example', 'http://localhost:3000'],
  host: ['shop.example', '*.shop.example'],
  operation: ['createSplitLink', 'createLink', 'refundPayment'],
  target: ADDRESSES,
  on: ['api', 'webhook', 'redirect'],
  script: SCRIPTS,
  link: [1001, 1002, 'pay:1001', 'MTAwMQ=='],
  after: [0, 1, 100, 100_000],
  since: [0, 1, 100],
  before: [1, 100, 100_000],
  limit: [1, 2, 100],
  type: ['api.request', 'link.paid', 'delivery.attempted', 'delivery.queued', 'sandbox.reset'],
  match: [{ type: 'link.paid' }, { type: 'delivery.attempted', status: 'Success' }],
  severity: ['hint', 'warning', 'error'],
  date: ['2026-06', '1999-01', '2026-13'],
  page: [1, 2, 99],
  epoch: ['x'],
  // These make a request wait. Longer waits only slow the run down.
  timeoutMs: SHORT_MS,
  delayMs: SHORT_MS,
  slowMs: SHORT_MS,
}
const WAIT_KEYS = ['timeoutMs', 'delayMs', 'slowMs']

/** Values for the parameters of paths. */
const PATH_VALUES = {
  ref: ['1001', '1002', '1003', '1004', '1005', 'pay:1001', 'pay:1002', 'MTAwMQ%3D%3D', 'MTAwMg=='],
  id: [...ACCOUNTS, '1', '2', '3', '7', '20', '100', '1001', 'one'],
  payId: ['1001', '1002', '1003', '700001'],
  seq: ['1', '2', '50', '500', '100000'],
  name: ['fuzz', 'flower-shop', 'one', 'two', 'before-reset'],
}

/** @param {string} name */
export const pathValues = (name) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...(Reflect.get(PATH_VALUES, name) ?? PATH_VALUES.id)) },
    { weight: 1, arbitrary: oddText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 4_000)) },
  )

/**
 * Generates values for a schema: mostly valid ones, some nearly valid ones, and some others.
 *
 * @param {Schema} schema
 * @param {object} root the document that contains the schema
 * @param {string} [key] the name of its property
 * @param {number} [depth]
 * @returns {Values}
 */
export function valuesFor(schema, root, key = '', depth = 0) {
  if (typeof schema !== 'object') return oddJson
  const valid = validValuesFor(schema, root, key, depth)
  if (WAIT_KEYS.includes(key))
    return fc.oneof({ weight: 6, arbitrary: valid }, { weight: 1, arbitrary: oddText })
  // A value with one mistake gets further than one with many, so most parts are valid.
  return fc.oneof({ weight: depth === 0 ? 40 : 12, arbitrary: valid }, { weight: 1, arbitrary: oddJson })
}

/**
 * @param {Schema} schema
 * @param {object} root
 * @param {string} key
 * @param {number} depth
 * @returns {Values}
 */
function validValuesFor(schema, root, key, depth) {
  if (depth > 6) return oddJson
  const known = Reflect.get(KNOWN_VALUES, key)
  if (known !== undefined && (schema.type !== 'array' || key === 'script')) {
    return WAIT_KEYS.includes(key)
      ? fc.constantFrom(...known)
      : fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom(...known) },
          { weight: 1, arbitrary: schemaValues(schema, root, key, depth) },
        )
  }
  return schemaValues(schema, root, key, depth)
}

/**
 * @param {Schema} schema
 * @param {object} root
 * @param {string} key
 * @param {number} depth
 * @returns {Values}
 */
function schemaValues(schema, root, key, depth) {
  if (typeof schema.$ref === 'string') {
    const place = schema.$ref.slice(2).split('/')
    const found = place.reduce((/** @type {unknown} */ inner, step) => Reflect.get(Object(inner), step), root)
    return valuesFor(/** @type {Schema} */ (found ?? {}), root, key, depth + 1)
  }
  const parts = schema.anyOf ?? schema.oneOf
  if (Array.isArray(parts)) {
    return fc.oneof(...parts.map((/** @type {Schema} */ part) => valuesFor(part, root, key, depth + 1)))
  }
  if (Array.isArray(schema.allOf)) {
    return valuesFor(Object.assign({}, ...schema.allOf), root, key, depth + 1)
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type.map((type) => schemaValues({ ...schema, type }, root, key, depth))
    return fc.oneof(...types)
  }
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'integer':
    case 'number':
      return numbers(schema)
    case 'array':
      return fc.array(valuesFor(schema.items ?? {}, root, key, depth + 1), { maxLength: 4 })
    case 'object':
      return objects(schema, root, depth)
    case 'string':
      return texts(schema)
    default:
      return oddJson
  }
}

/** @param {Schema} schema */
function numbers({ type, minimum = -10, maximum = 1_000, exclusiveMinimum }) {
  const least = exclusiveMinimum ?? minimum
  const edges = fc.constantFrom(least, least - 1, least + 1, maximum, maximum + 1, maximum - 1)
  const small = fc.integer({ min: Math.ceil(Math.min(least, 1)), max: Math.min(Math.floor(maximum), 1_000) })
  return type === 'integer'
    ? fc.oneof(small, edges)
    : fc.oneof(
        small,
        edges,
        small.map((number) => number / 100),
        fc.double(),
      )
}

/** @param {Schema} schema */
function texts({ examples, format, maxLength = 40 }) {
  const edges = fc
    .constantFrom(maxLength, maxLength + 1)
    .map((length) => 'x'.repeat(Math.min(length, 100_000)))
  const plain = fc.oneof(
    { weight: 8, arbitrary: fc.string({ maxLength: 20 }) },
    { weight: 1, arbitrary: edges },
  )
  if (Array.isArray(examples) && examples.length > 0) return fc.oneof(fc.constantFrom(...examples), plain)
  if (format === 'date-time')
    return fc.constantFrom('2026-12-31T23:59:59Z', '2027-03-28T02:30:00+01:00', '2026-12-01')
  if (format === 'uuid') return fc.constantFrom(...ACCOUNTS)
  if (format === 'uri') return fc.constantFrom(...ADDRESSES)
  return plain
}

/**
 * @param {Schema} schema
 * @param {object} root
 * @param {number} depth
 */
function objects({ properties = {}, required = [], additionalProperties, examples }, root, depth) {
  const known = Object.entries(properties).map(([key, schema]) => {
    const field = valuesFor(/** @type {Schema} */ (schema), root, key, depth + 1).map((value) => [
      [key, value],
    ])
    const none = fc.constant([])
    const [often, rarely] = required.includes(key) ? [30, 1] : [1, 1]
    return fc.oneof({ weight: rarely, arbitrary: none }, { weight: often, arbitrary: field })
  })
  const others = fc.oneof(
    { weight: 12, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom('__proto__', 'constructor', ''), oddJson).map((one) => [one]),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom('amount', ...Object.keys(properties)), oddJson).map((one) => [one]),
    },
    ...(typeof additionalProperties === 'object'
      ? [
          {
            weight: 12,
            arbitrary: fc.array(fc.tuple(oddText, valuesFor(additionalProperties, root, '', depth + 1)), {
              maxLength: 3,
            }),
          },
        ]
      : []),
  )
  const made = fc
    .tuple(...known, others)
    .map((lists) => objectOf(lists.flat(1).map((one) => /** @type {[string, unknown]} */ (one))))
  return Array.isArray(examples) && examples.length > 0
    ? fc.oneof({ weight: 4, arbitrary: made }, { weight: 1, arbitrary: fc.constantFrom(...examples) })
    : made
}
