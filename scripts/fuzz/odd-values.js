import fc from 'fast-check'

/**
 * Text that `writeJson` writes unchanged, valid or not.
 *
 * @param {string} text
 */
const rawJson = (text) => ({ [RAW]: text })

/**
 * An object that `writeJson` writes with its keys in this order, repeated keys included.
 *
 * @param {readonly (readonly [string, unknown])[]} entries
 */
export const objectOf = (entries) => ({ [FIELDS]: entries })

const RAW = Symbol('raw')
const FIELDS = Symbol('fields')

/**
 * @param {unknown} value
 * @returns {string}
 */
export function writeJson(value) {
  if (typeof value === 'object' && value !== null) {
    if (RAW in value) return String(value[RAW])
    if (FIELDS in value) {
      const entries = /** @type {readonly (readonly [string, unknown])[]} */ (value[FIELDS])
      return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${writeJson(one)}`).join(',')}}`
    }
  }
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  return JSON.stringify(value) ?? 'null'
}

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
  '\u202e\u2066abc',
  '\u200b',
  '\ufeff',
  '\uffff',
  '👩‍👩‍👧‍👦',
  'e\u0301'.repeat(50),
  'İıſK',
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
  '٣',
  '１',
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
  '../../etc/passwd',
  '..\\..\\windows',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'http://',
  'http://[::1',
  'http://[::1]:1',
  'http://a b/',
  'http://\u0000/',
  'http://127.0.0.1:99999/',
  'http://user:pass@127.0.0.1:1/',
  'http://xn--/',
  'http://☃.localhost:1/',
  '//127.0.0.1:1',
  '/tunnel/',
  '/tunnel/fuzz\u202e',
  ',',
  ',,,0',
  '0,1,0,1',
  '0,http://127.0.0.1:1/',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
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
  '(a+)+$',
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
  '[]',
  '[,]',
  '[1,]',
  '{}',
  '{a:1}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toJSON":1,"then":1,"length":-1}',
  '{"a":1,"a":2}',
  '[[[[[[[[]]]]]]]]',
  '{"":{"":{"":{}}}}',
  '// a\n1',
  '1 2',
]

export const oddText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('x', 'ü', '0,', '%', '['), fc.constantFrom(101, 1_001, 20_000, 200_000))
      .map(([text, times]) => text.repeat(times)),
  },
)

export const oddJson = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...JSONS).map(rawJson) },
  { weight: 3, arbitrary: oddText },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.double() },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('[', '{"a":'), fc.constantFrom(100, 1_000, 100_000), fc.boolean())
      .map(([open, times, closes]) => {
        const end = open === '[' ? ']' : '1}'
        return rawJson(open.repeat(times) + (closes ? end.repeat(times) : ''))
      }),
  },
)
