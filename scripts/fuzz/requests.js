import fc from 'fast-check'
import { brokenRequests } from './broken-http.js'
import { listOperations } from './document-checker.js'
import { valuesFor, pathValues } from './schema-values.js'
import { inQuery, requests } from './http-request.js'
import { objectOf, oddJson, oddText, writeJson } from './odd-values.js'
import { webSocketRequests } from './web-socket-requests.js'
import { validBodies } from './valid-values.js'

const PAGES = [
  '/',
  '/index.html',
  '/favicon.ico',
  '/assets/',
  '/docs',
  '/docs/control',
  '/docs/style.css',
  '/openapi.json',
  '/_sandbox/openapi.json',
  '/_sandbox/v1/seed/schema',
  '/assets/../../server/cli.js',
  '/..%2f..%2fpackage.json',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/..%5c..%5cpackage.json',
  '/assets/%00.js',
  '/%c0%ae%c0%ae/',
  '/%',
  '/%zz',
  '//',
  '//evil.example/',
  '/\\evil.example',
  '*',
  'http://evil.example/',
  'http://127.0.0.1/_sandbox/v1/info',
  '/?admin_token=x',
  '/?admin_token=%zz&admin_token=%00',
  '/#x',
  '/a?%',
  '/_sandbox/v1',
  '/_sandbox/v1/%2e%2e/v1/info',
  '/_sandbox//v1/info',
  '/api/v2',
  '/api/v2/',
  '/api/v1/createLink',
  '/qr/.png',
  '/payment/',
  '/tunnel',
  `/${'a/'.repeat(3_000)}`,
]

const LINKS = [
  'MTAwMQ%3D%3D',
  'MTAwMg==',
  'MTAwMw',
  'MTAwNA%3D%3D',
  '1001',
  '',
  '%',
  '%00',
  '%FF',
  'MTAwMQ%3D%3D&link_id=x',
]

/** Operations that take long, or that delete what other requests need. They are sent rarely. */
const RARELY =
  /reset|restore|rotate|report|export\.har|\/file$|checks\/receiver|clock|seed|delete \/_sandbox\/v1\/(accounts|snapshots|links)|snapshots/i

/**
 * Generates requests to every entry point, documented or not.
 *
 * @param {readonly import('../../server/platform/openapi/document.ts').Document[]} documents
 * @returns {import('fast-check').Arbitrary<import('./http-request.js').Request>}
 */
export function allRequests(documents) {
  return fc.oneof(
    { weight: 70, arbitrary: operationRequests(documents) },
    { weight: 12, arbitrary: checkout },
    { weight: 6, arbitrary: tunnel },
    { weight: 6, arbitrary: pages },
    { weight: 5, arbitrary: brokenRequests },
    { weight: 3, arbitrary: webSocketRequests },
  )
}

/**
 * Generates requests of the documented operations, valid and invalid.
 *
 * @param {readonly import('../../server/platform/openapi/document.ts').Document[]} documents
 * @returns {import('fast-check').Arbitrary<import('./http-request.js').Request>}
 */
export function operationRequests(documents) {
  const operations = documents.flatMap((document) =>
    listOperations(document).map(({ path, method, operation }) => ({
      weight: path.startsWith('/api/') ? 90 : RARELY.test(`${method} ${path}`) ? 1 : 8,
      arbitrary: requestsOfOperation(document, path, method, operation),
    })),
  )
  return fc.oneof(...operations)
}

/**
 * @param {object} document
 * @param {string} path
 * @param {string} method
 * @param {Record<string, any>} operation
 */
function requestsOfOperation(document, path, method, operation) {
  const entryPoint = path.startsWith('/api/') ? 'api' : 'control'
  const parameters = /** @type {Record<string, any>[]} */ (operation.parameters ?? [])
  const places = path
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? fc.constant(part) : pathValues(part)))
  const queries = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) =>
      fc.oneof(
        { weight: 2, arbitrary: fc.constant('') },
        {
          weight: 3,
          arbitrary: valuesFor(schema, document, name).map((value) => `${name}=${inQuery(value)}`),
        },
        {
          weight: 1,
          arbitrary: fc
            .tuple(oddText, oddText)
            .map((two) => `${name}=${inQuery(two[0])}&${name}=${inQuery(two[1])}`),
        },
      ),
    )
  const target = fc
    .tuple(fc.tuple(...places), fc.tuple(...queries), fc.option(oddText, { freq: 30 }))
    .map(([parts, query, extra]) => {
      const queryParts = [...query, extra === null ? '' : `${inQuery(extra)}=1`].filter((one) => one !== '')
      return parts.join('') + (queryParts.length === 0 ? '' : `?${queryParts.join('&')}`)
    })
  const [type, content] =
    Object.entries(/** @type {Record<string, any>} */ (operation.requestBody?.content ?? {}))[0] ?? []
  const body =
    type === 'application/json'
      ? jsonBodies(content, document).map((value) => Buffer.from(writeJson(value)))
      : fc.oneof(
          { weight: 6, arbitrary: fc.constant(Buffer.alloc(0)) },
          { weight: 1, arbitrary: oddJson.map((value) => Buffer.from(writeJson(value))) },
        )
  return requests({ entryPoint, method: method.toUpperCase(), target, body, type: type ?? '' })
}

/**
 * Generates valid bodies, bodies with one mistake, and others. A body with many mistakes is rejected at the first, and shows
 * nothing about the code behind it.
 *
 * @param {any} content
 * @param {object} document
 */
function jsonBodies(content, document) {
  const { schema = {} } = content
  const valid = validBodies(content, document)
  const mistakes = Object.entries(schema.properties ?? {}).map(([key, property]) =>
    fc
      .oneof(
        fc.constant([]),
        valuesFor(/** @type {any} */ (property), document, key).map((value) => [[key, value]]),
        oddJson.map((value) => [[key, value]]),
      )
      .map((field) => ({ key, field })),
  )
  const nearly =
    mistakes.length === 0
      ? valid
      : fc
          .tuple(valid, fc.oneof(...mistakes))
          .map(([all, { key, field }]) => [...all.filter(([name]) => name !== key), ...field])
  return fc.oneof(
    { weight: 5, arbitrary: valid.map(objectOf) },
    { weight: 2, arbitrary: nearly.map((all) => objectOf(/** @type {[string, unknown][]} */ (all))) },
    { weight: 3, arbitrary: valuesFor(schema, document) },
  )
}

const checkout = fc.oneof(
  requests({
    entryPoint: 'checkout',
    method: 'POST',
    target: fc.constantFrom(...LINKS).map((link) => `/payment?link_id=${link}`),
    body: fc
      .array(
        fc.oneof(
          {
            weight: 6,
            arbitrary: fc.constantFrom(
              'method=card',
              'method=bank-transfer',
              'outcome=pay',
              'outcome=cancel',
              'outcome=decline',
              'outcome=pay-and-close',
            ),
          },
          {
            weight: 1,
            arbitrary: fc
              .tuple(fc.constantFrom('method', 'outcome', '__proto__', ''), oddText)
              .map(([key, text]) => `${key}=${inQuery(text)}`),
          },
          { weight: 1, arbitrary: oddText },
        ),
        { maxLength: 4 },
      )
      .map((given) => Buffer.from(given.join('&'))),
    type: 'application/x-www-form-urlencoded',
  }),
  requests({
    entryPoint: 'checkout',
    method: 'GET',
    target: fc
      .tuple(
        fc.constantFrom(
          '/payment',
          '/payment/success',
          '/payment/cancelled',
          '/payment/closed',
          '/payment/status',
          '/payment/style.css',
          '/payment/waiting.js',
        ),
        fc.constantFrom(...LINKS),
        fc.oneof(
          fc.constantFrom(
            '',
            '&outcome=card',
            '&outcome=bank',
            '&outcome=cancel',
            '&outcome=x&outcome=card',
            '&declined',
            '&waiting',
          ),
          oddText.map((text) => `&outcome=${inQuery(text)}`),
        ),
      )
      .map(([path, link, more]) => `${path}?link_id=${link}${more}`),
    body: fc.constant(Buffer.alloc(0)),
    type: '',
  }),
  requests({
    entryPoint: 'checkout',
    method: 'GET',
    target: fc.constantFrom(...LINKS).map((link) => `/qr/${link}.png`),
    body: fc.constant(Buffer.alloc(0)),
    type: '',
  }),
)

const tunnel = requests({
  entryPoint: 'tunnel',
  method: 'POST',
  target: fc
    .tuple(
      fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom('fuzz', 'flower-shop', 'fuzz-listened') },
        { weight: 1, arbitrary: oddText.map((text) => inQuery(text).slice(0, 2_000)) },
      ),
      fc.constantFrom(
        '',
        '/',
        '/a?b=c',
        '/../../api/v2/createLink',
        '/..%2f..',
        '/%zz',
        '//',
        '/a/./b/../c',
        '/?',
      ),
    )
    .map(([name, rest]) => `/tunnel/${name}${rest}`),
  body: fc.oneof(
    fc.constant(Buffer.from('ResponseCode=1&data%5Bpay_id%5D=1001')),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  ),
  type: 'application/x-www-form-urlencoded',
})

const pages = requests({
  entryPoint: 'pages',
  method: 'GET',
  target: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...PAGES) },
    { weight: 1, arbitrary: oddText.map((text) => `/${inQuery(text).slice(0, 4_000)}`) },
  ),
  body: fc.constant(Buffer.alloc(0)),
  type: '',
})
