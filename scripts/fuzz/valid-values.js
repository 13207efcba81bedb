import fc from 'fast-check'
import { FIRST_PAID, PAID } from './fuzz-seed.js'
import { objectOf } from './odd-values.js'

/**
 * @typedef {import('./schema-values.js').Schema} Schema
 * @typedef {import('./schema-values.js').Values} Values
 */

const paidIds = fc.integer({ min: FIRST_PAID, max: FIRST_PAID + PAID - 1 })

/**
 * Values for a key of this name that let a call succeed. The schema alone does not know them.
 *
 * @type {Record<string, Values>}
 */
const VALUES_BY_KEY = {
  token: fc.constantFrom('rcpBikeCourierFakeToken0002', 'rcpMarketHallFakeToken00003'),
  share: fc.constantFrom(0.01, 1, 10, 12.34, 25),
  amount: fc.constantFrom(0.01, 1, 100, 100, 123.45, 999_999_999.99),
  refund_amount: fc.constantFrom(0.01, 1, 99.99, 100, 100, 100),
  pay_id: paidIds,
  pay_ids: fc.uniqueArray(paidIds, { minLength: 1, maxLength: 3 }).map((ids) => ids.join()),
  status: fc.constantFrom('Success', 'Success', 'SUCCESS', 'cancel'),
  page: fc.constantFrom(1, 2, 3, 99),
  limit: fc.constantFrom(1, 2, 10, 100),
  date: fc.constantFrom('2026-06', '2026-03', '1999-01'),
  search: fc.constantFrom('july', '2026', 'SF', '', 'nothing'),
  callback_url: fc.constantFrom('0', '1', '', 'https://shop.example/thanks?a=b#c', '1,https://shop.example/'),
  payment_endpoint: fc.constantFrom('0', '1', '0,1', '', 'http://127.0.0.1:1/hook', '1, http://[::1]:1/'),
}

const texts = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('', 'Order 7', '<b>&amp;</b>', '__proto__', 'a\r\nb', '👩‍👩‍👧‍👦', 'İıſK', '\u202eabc'),
)

/**
 * Splits a schema into the alternatives that it consists of. Resolves a reference.
 *
 * @param {Schema} schema
 * @param {object} root
 * @returns {readonly Schema[]}
 */
function partsOf(schema, root) {
  if (typeof schema.$ref === 'string') {
    const place = schema.$ref.slice(2).split('/')
    return [place.reduce((/** @type {any} */ inner, step) => inner[step], root)]
  }
  if (Array.isArray(schema.allOf)) return [Object.assign({}, ...schema.allOf)]
  const parts = schema.anyOf ?? schema.oneOf
  if (Array.isArray(parts)) return parts
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : []
}

/**
 * Generates valid values for a schema.
 *
 * @param {Schema} schema
 * @param {object} root the document that contains the schema
 * @param {string} [key] the name of its property
 * @returns {Values}
 */
function validValues(schema, root, key = '') {
  if (typeof schema !== 'object') return texts
  if (Array.isArray(schema.prefixItems))
    return fc.tuple(...schema.prefixItems.map((one) => validValues(one, root)))
  const parts = partsOf(schema, root)
  if (parts.length > 0) return fc.oneof(...parts.map((part) => validValues(part, root, key)))
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const given = Object.hasOwn(VALUES_BY_KEY, key) ? VALUES_BY_KEY[key] : undefined
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(validValues(schema.items ?? {}, root, key), {
        minLength: schema.minItems ?? 0,
        maxLength: 4,
      })
    case 'object':
      return validFields(schema, root).map(objectOf)
    case 'integer':
    case 'number': {
      const least = schema.minimum ?? (schema.exclusiveMinimum ?? -1) + 1
      return given ?? fc.integer({ min: least, max: Math.min(schema.maximum ?? Infinity, least + 1_000) })
    }
    default:
      return given ?? texts
  }
}

/**
 * Generates the keys and values of a valid object.
 *
 * @param {Schema} schema
 * @param {object} root
 * @returns {import('fast-check').Arbitrary<[string, unknown][]>}
 */
function validFields({ properties = {}, required = [] }, root) {
  const known = Object.entries(properties).map(([key, schema]) => {
    const field = validValues(/** @type {Schema} */ (schema), root, key).map((value) => [[key, value]])
    return required.includes(key) ? field : fc.oneof(fc.constant([]), field)
  })
  return fc.tuple(...known).map((lists) => /** @type {[string, unknown][]} */ (lists.flat(1)))
}

/**
 * Generates valid bodies of an operation, from its schema and its examples.
 *
 * @param {{ schema: Schema, examples?: Record<string, { value: object }> }} content
 * @param {object} root
 */
export function validBodies({ schema, examples = {} }, root) {
  const bySchema = validFields(schema, root)
  const shown = Object.values(examples).map(({ value }) => Object.entries(value))
  return shown.length === 0
    ? bySchema
    : fc.oneof({ weight: 4, arbitrary: bySchema }, { weight: 1, arbitrary: fc.constantFrom(...shown) })
}
