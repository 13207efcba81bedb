import fc, { type Arbitrary } from 'fast-check'
import type { Document } from '../../server/platform/openapi/document.ts'
import { accounts, FIRST_PAID, PAID } from './seed.ts'

/** A JSON schema of a document. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Schema = Record<string, any>

/** A key, and the text of its value in JSON. */
export type Field = readonly [key: string, json: string]

/** Chooses between arbitraries, each with a weight. */
export const weighted = <Value>(...choices: readonly (readonly [number, Arbitrary<Value>])[]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** Texts that have broken programs before. */
const TEXTS = [
  '',
  ' ',
  '\0',
  '\u0000a\u0000',
  '\r\nSet-Cookie: a=b',
  '\n',
  '\ud800',
  '\udfff\ud800',
  '\uffff',
  '\u202e\u2066abc',
  '\u200b',
  '\ufeff',
  '👩‍👩‍👧‍👦',
  'e\u0301'.repeat(50),
  'İıſK',
  '٣',
  '１',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e400',
  '0x10',
  '9007199254740993',
  '-1',
  '1.0000000000000000000000001',
  "' OR 1=1 --",
  '"; DROP TABLE link; --',
  '%',
  '%00',
  '%ff',
  '%zz',
  '_%',
  '*',
  '(a+)+$',
  '../../etc/passwd',
  '..\\..\\windows',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'http://',
  'http://[::1',
  'http://[::1]:1',
  'http://a b/',
  'http://\u0000/',
  'http://xn--/',
  'http://127.0.0.1:99999/',
  'http://user:pass@127.0.0.1:1/',
  'http://☃.localhost:1/',
  '//127.0.0.1:1',
  '/tunnel/',
  '/tunnel/fuzz\u202e',
  ',',
  ',,,0',
  '0,1,0,1',
  '0,http://127.0.0.1:1/',
  '${7*7}',
  '{{7*7}}',
  '2026-02-30',
  '2026-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.000Z',
  '-000001-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '2026-03-29T02:30:00+01:00',
  '12/2026',
  'MTAwMQ==',
  'MTAwMQ',
  'pay:1001',
  'pay:',
  'a'.repeat(64),
]

/** Unusual JSON, and text that is not JSON. */
const JSONS = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '0.005',
  '0.30000000000000004',
  '1e21',
  '1E308',
  '1e400',
  '-1e400',
  '1e-400',
  '2147483648',
  '9007199254740991',
  '9007199254740993',
  '9223372036854775808',
  '123456789012345678901234567890',
  'NaN',
  'Infinity',
  '-Infinity',
  'undefined',
  '01',
  '+1',
  '0x10',
  '1.',
  '.5',
  '1_000',
  "'a'",
  '"\\u0000"',
  '"\\ud800"',
  '"\\x41"',
  '"\t"',
  '"',
  '',
  '// a\n1',
  '1 2',
  '[]',
  '[,]',
  '[1,]',
  '{}',
  '{a:1}',
  '{"a":1,"a":2}',
  '[[[[[[[[]]]]]]]]',
  '{"":{"":{"":{}}}}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toJSON":1,"then":1,"length":-1}',
]

export const oddText: Arbitrary<string> = weighted(
  [6, fc.constantFrom(...TEXTS)],
  [2, fc.string({ unit: 'binary', maxLength: 40 })],
  [1, fc.string({ unit: 'grapheme', maxLength: 40 })],
  [
    1,
    fc
      .tuple(fc.constantFrom('x', 'ü', '0,', '%', '['), fc.constantFrom(101, 1_001, 20_000, 200_000))
      .map(([text, times]) => text.repeat(times)),
  ],
)

/** The text of a body, which may be no valid JSON. */
export const oddJson: Arbitrary<string> = weighted(
  [6, fc.constantFrom(...JSONS)],
  [3, oddText.map((text) => JSON.stringify(text))],
  [2, fc.json({ maxDepth: 3 })],
  [1, fc.double().map(String)],
  [
    1,
    fc
      .tuple(fc.constantFrom('[', '{"a":'), fc.constantFrom(100, 1_000, 100_000), fc.boolean())
      .map(
        ([open, times, closes]) =>
          open.repeat(times) + (closes ? (open === '[' ? ']' : '1}').repeat(times) : ''),
      ),
  ],
)

/** A call can succeed with these texts. */
const texts = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('', 'Order 7', '<b>&amp;</b>', '__proto__', 'a\r\nb', '👩‍👩‍👧‍👦', 'İıſK', '\u202eabc'),
)

const ACCOUNTS = accounts.map(({ id }) => id)
const KEYS = accounts.map(({ apiKey }) => apiKey)
const TOKENS = accounts.map(({ recipientToken }) => recipientToken)
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
const paidIds = fc.integer({ min: FIRST_PAID, max: FIRST_PAID + PAID - 1 })
const waits = [fc.constantFrom(0, 1, 5, 50, 200)] as const

/**
 * Values for a key of this name if the schema does not restrict them: first values that a call can succeed with, then others that
 * exist in the sandbox, or nearly do.
 */
const VALUES_BY_KEY: Record<string, readonly [Arbitrary<unknown>, Arbitrary<unknown>?]> = {
  token: [fc.constantFrom(...TOKENS.slice(1, 3)), fc.constantFrom(...TOKENS, ...KEYS)],
  apiKey: [fc.constantFrom(...KEYS)],
  recipientToken: [fc.constantFrom(...TOKENS)],
  account: [fc.constantFrom(...ACCOUNTS)],
  accountId: [fc.constantFrom(...ACCOUNTS)],
  as: [fc.constantFrom('one', 'two', ...ACCOUNTS)],
  share: [fc.constantFrom(0.01, 1, 10, 12.34, 25), fc.constantFrom(0, 30, 33.3333, 50, 100)],
  amount: [fc.constantFrom(0.01, 1, 100, 100, 123.45, 999_999_999.99)],
  refund_amount: [fc.constantFrom(0.01, 1, 99.99, 100, 100, 100)],
  pay_id: [paidIds, fc.constantFrom(1001, 1002, 700_001)],
  pay_ids: [
    fc.uniqueArray(paidIds, { minLength: 1, maxLength: 3 }).map((ids) => ids.join()),
    fc.constantFrom('1001', '1001,1002', '1003'),
  ],
  status: [
    fc.constantFrom('Success', 'Success', 'SUCCESS', 'cancel'),
    fc.constantFrom('paid', 'unused', 'cancelled', 200, 500),
  ],
  callback_url: [
    fc.constantFrom('0', '1', '', 'https://shop.example/thanks?a=b#c', '1,https://shop.example/'),
    fc.constantFrom(...ADDRESSES),
  ],
  payment_endpoint: [
    fc.constantFrom('0', '1', '0,1', '', 'http://127.0.0.1:1/hook', '1, http://[::1]:1/'),
    fc.constantFrom(...ADDRESSES),
  ],
  paymentEndpoint: [fc.constantFrom(...ADDRESSES)],
  callbackUrl: [fc.constantFrom(...ADDRESSES)],
  url: [fc.constantFrom(...ADDRESSES)],
  target: [fc.constantFrom(...ADDRESSES)],
  to: [fc.constantFrom(...ADDRESSES, 'seed', 'empty', 'next-month')],
  from: [fc.constantFrom('https://shop.example', 'https://*.shop.example', 'http://localhost:3000')],
  host: [fc.constantFrom('shop.example', '*.shop.example')],
  operation: [fc.constantFrom('createSplitLink', 'createLink', 'refundPayment')],
  on: [fc.constantFrom('api', 'webhook', 'redirect')],
  script: [fc.constantFrom(...SCRIPTS)],
  link: [fc.constantFrom(1001, 1002, 'pay:1001', 'MTAwMQ==')],
  after: [fc.constantFrom(0, 1, 100, 100_000)],
  since: [fc.constantFrom(0, 1, 100)],
  before: [fc.constantFrom(1, 100, 100_000)],
  limit: [fc.constantFrom(1, 2, 10, 100)],
  page: [fc.constantFrom(1, 2, 3, 99)],
  search: [fc.constantFrom('july', '2026', 'SF', '', 'nothing')],
  type: [
    fc.constantFrom('api.request', 'link.paid', 'delivery.attempted', 'delivery.queued', 'sandbox.reset'),
  ],
  match: [fc.constantFrom({ type: 'link.paid' }, { type: 'delivery.attempted', status: 'Success' })],
  severity: [fc.constantFrom('hint', 'warning', 'error')],
  date: [fc.constantFrom('2026-06', '2026-03', '1999-01'), fc.constant('2026-13')],
  epoch: [fc.constant('x')],
  // These values make a request wait. Longer waits would only delay the run.
  timeoutMs: waits,
  delayMs: waits,
  slowMs: waits,
}
const WAIT_KEYS = ['timeoutMs', 'delayMs', 'slowMs']

/** Values for the parameters of paths. */
const PATH_VALUES: Record<string, readonly string[]> = {
  ref: ['1001', '1002', '1003', '1004', '1005', 'pay:1001', 'pay:1002', 'MTAwMQ%3D%3D', 'MTAwMg=='],
  id: [...ACCOUNTS, '1', '2', '3', '7', '20', '100', '1001', 'one'],
  payId: ['1001', '1002', String(FIRST_PAID), '700001'],
  seq: ['1', '2', '50', '500', '100000'],
  name: ['fuzz', 'flower-shop', 'one', 'two', 'before-reset'],
}

export const pathValues = (name: string): Arbitrary<string> =>
  weighted(
    [8, fc.constantFrom(...(PATH_VALUES[name] ?? PATH_VALUES.id!))],
    [1, oddText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 4_000))],
  )

/** Encodes JSON as a value of a query. A string loses its quotes. */
export function inQuery(json: string): string {
  let text = json
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'string') text = value
  } catch {
    // Some of the odd values are not JSON.
  }
  return encodeURIComponent(text.toWellFormed()).slice(0, 6_000)
}

export const objectOf = (fields: readonly Field[]): string =>
  `{${fields.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join()}}`

const toJson = (value: unknown): string => JSON.stringify(value)
const MAX_DEPTH = 8

/**
 * Generates values for the schemas of a document, as JSON text. Even with mistakes, most values are valid, because a request
 * with a single mistake reaches more code than one with many.
 */
export function createValues(document: Document, hasMistakes: boolean) {
  const onlyWithMistakes = <Value>(...choices: readonly (readonly [number, Arbitrary<Value>])[]) =>
    hasMistakes ? choices : []

  function valuesFor(schema: Schema, key = '', depth = 0): Arbitrary<string> {
    if (typeof schema !== 'object' || depth > MAX_DEPTH) return hasMistakes ? oddJson : texts.map(toJson)
    const odd = WAIT_KEYS.includes(key) ? oddText.map(toJson) : oddJson
    return weighted([depth === 0 ? 40 : 12, correctFor(schema, key, depth)], ...onlyWithMistakes([1, odd]))
  }

  function correctFor(schema: Schema, key: string, depth: number): Arbitrary<string> {
    const known = Object.hasOwn(VALUES_BY_KEY, key) ? VALUES_BY_KEY[key] : undefined
    if (known === undefined || (schema.type === 'array' && key !== 'script'))
      return bySchema(schema, key, depth)
    const [good, near = good] = known
    if (!hasMistakes || WAIT_KEYS.includes(key)) return good.map(toJson)
    return weighted([2, good.map(toJson)], [2, near.map(toJson)], [1, bySchema(schema, key, depth)])
  }

  function bySchema(schema: Schema, key: string, depth: number): Arbitrary<string> {
    if (typeof schema.$ref === 'string') return valuesFor(resolve(schema.$ref), key, depth + 1)
    if (Array.isArray(schema.allOf)) return valuesFor(Object.assign({}, ...schema.allOf), key, depth + 1)
    const parts: Schema[] | undefined =
      schema.anyOf ??
      schema.oneOf ??
      (Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : undefined)
    if (parts !== undefined) return fc.oneof(...parts.map((part) => valuesFor(part, key, depth + 1)))
    if ('const' in schema) return fc.constant(toJson(schema.const))
    if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum.map(toJson))
    if (Array.isArray(schema.prefixItems))
      return fc
        .tuple(...schema.prefixItems.map((one: Schema) => valuesFor(one, key, depth + 1)))
        .map((items) => `[${items.join()}]`)
    switch (schema.type) {
      case 'boolean':
        return fc.boolean().map(toJson)
      case 'null':
        return fc.constant('null')
      case 'integer':
      case 'number':
        return numbers(schema).map(toJson)
      case 'array':
        return fc
          .array(valuesFor(schema.items ?? {}, key, depth + 1), {
            minLength: schema.minItems ?? 0,
            maxLength: 4,
          })
          .map((items) => `[${items.join()}]`)
      case 'object':
        return objects(schema, depth)
      case 'string':
        return strings(schema).map(toJson)
      default:
        return hasMistakes ? oddJson : texts.map(toJson)
    }
  }

  const resolve = ($ref: string): Schema =>
    ($ref
      .slice(2)
      .split('/')
      .reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), document) ?? {}) as Schema

  function numbers({ type, exclusiveMinimum, minimum, maximum = Infinity }: Schema): Arbitrary<number> {
    const least: number = minimum ?? (exclusiveMinimum ?? -1) + 1
    const most = Math.min(maximum, least + 1_000)
    const edges = [exclusiveMinimum ?? least, least - 1, least + 1, most, most + 1, most - 1]
    const small = fc.integer({ min: Math.ceil(least), max: Math.floor(most) })
    return weighted(
      [2, small],
      ...onlyWithMistakes(
        [2, fc.constantFrom(...edges)],
        ...(type === 'integer'
          ? []
          : [[1, small.map((number) => number / 100)] as const, [1, fc.double()] as const]),
      ),
    )
  }

  function strings({ examples, format, maxLength = 40 }: Schema): Arbitrary<string> {
    if (format === 'date-time')
      return fc.constantFrom('2026-12-31T23:59:59Z', '2027-03-28T02:30:00+01:00', '2026-12-01')
    if (format === 'uuid') return fc.constantFrom(...ACCOUNTS)
    if (format === 'uri') return fc.constantFrom(...ADDRESSES)
    const edges = fc.constantFrom(maxLength, maxLength + 1)
    const plain = weighted(
      [8, texts],
      ...onlyWithMistakes([1, edges.map((length: number) => 'x'.repeat(Math.min(length, 100_000)))]),
    )
    return Array.isArray(examples) && examples.length > 0
      ? fc.oneof(fc.constantFrom(...examples), plain)
      : plain
  }

  /** The fields of an object. */
  function fieldsFor({ properties = {}, required = [] }: Schema, depth = 0): Arbitrary<Field[]> {
    const absent = fc.constant<Field[]>([])
    const each = Object.entries<Schema>(properties).map(([key, schema]) => {
      const present = valuesFor(schema, key, depth + 1).map((json): Field[] => [[key, json]])
      if (!required.includes(key)) return fc.oneof(absent, present)
      return weighted([30, present], ...onlyWithMistakes([1, absent]))
    })
    return fc.tuple(...each).map((lists) => lists.flat())
  }

  function objects(schema: Schema, depth: number): Arbitrary<string> {
    const { properties = {}, additionalProperties, examples } = schema
    const additional =
      typeof additionalProperties === 'object'
        ? fc.array(fc.tuple(hasMistakes ? oddText : texts, valuesFor(additionalProperties, '', depth + 1)), {
            maxLength: 3,
          })
        : fc.constant<Field[]>([])
    const names = fc.constantFrom('__proto__', 'constructor', '', 'amount', ...Object.keys(properties))
    const more = weighted<Field[]>(
      [12, additional],
      ...onlyWithMistakes([2, fc.tuple(names, oddJson).map((field): Field[] => [field])]),
    )
    const made = fc.tuple(fieldsFor(schema, depth), more).map((lists) => objectOf(lists.flat()))
    return Array.isArray(examples) && examples.length > 0
      ? weighted([4, made], [1, fc.constantFrom(...examples.map(toJson))])
      : made
  }

  return { valuesFor, fieldsFor }
}
