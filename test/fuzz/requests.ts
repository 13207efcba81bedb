import fc, { type Arbitrary } from 'fast-check'
import type { Document } from '../../server/platform/openapi/document.ts'
import { listOperations, type ListedOperation } from '../support/document-checker.ts'
import { brokenRequests, webSocketRequests } from './raw-requests.ts'
import { requests, type FuzzRequest } from './request.ts'
import {
  createValues,
  inQuery,
  objectOf,
  oddJson,
  oddText,
  pathValues,
  weighted,
  type Field,
  type Schema,
} from './values.ts'

/** Operations that take long, or that delete data which other requests need. They are called rarely. */
const RARELY =
  /reset|restore|rotate|report|export\.har|\/file$|checks\/receiver|clock|seed|delete \/_sandbox\/v1\/(accounts|snapshots|links)|snapshots/i

/** Generates requests to every entry point, documented or not. */
export const allRequests = (documents: readonly Document[]): Arbitrary<FuzzRequest> =>
  weighted(
    [70, operationRequests(documents)],
    [12, checkout],
    [6, tunnel],
    [6, pages],
    [5, brokenRequests],
    [3, webSocketRequests],
  )

/** Generates requests of the documented operations, valid and invalid. */
export const operationRequests = (documents: readonly Document[]): Arbitrary<FuzzRequest> =>
  weighted(
    ...documents.flatMap((document) =>
      listOperations(document).map((listed) => {
        const { path, method } = listed
        const weight = path.startsWith('/api/') ? 90 : RARELY.test(`${method} ${path}`) ? 1 : 8
        return [weight, requestsOfOperation(document, listed)] as const
      }),
    ),
  )

function requestsOfOperation(document: Document, { path, method, operation }: ListedOperation) {
  const { valuesFor } = createValues(document, true)
  const places = path
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? fc.constant(part) : pathValues(part)))
  const queries = (operation.parameters ?? [])
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) =>
      weighted(
        [2, fc.constant('')],
        [3, valuesFor(schema as Schema, name).map((json) => `${name}=${inQuery(json)}`)],
        [1, fc.tuple(oddText, oddText).map((two) => two.map((text) => `${name}=${inQuery(text)}`).join('&'))],
      ),
    )
  const target = fc
    .tuple(fc.tuple(...places), fc.tuple(...queries), fc.option(oddText, { freq: 30 }))
    .map(([parts, query, extra]) => {
      const pairs = [...query, extra === null ? '' : `${inQuery(extra)}=1`].filter((one) => one !== '')
      return parts.join('') + (pairs.length === 0 ? '' : `?${pairs.join('&')}`)
    })
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const body =
    type === 'application/json'
      ? jsonBodies(content as Schema, document)
      : weighted([6, fc.constant('')], [1, oddJson])
  return requests({
    entryPoint: path.startsWith('/api/') ? 'api' : 'control',
    method: method.toUpperCase(),
    target,
    body: body.map((text) => Buffer.from(text)),
    ...(type !== undefined && { type }),
  })
}

/**
 * Generates valid bodies, bodies with one mistake, and other bodies. A body with many mistakes is rejected because of the first
 * one, and does not reach the code behind it.
 */
function jsonBodies({ schema = {}, examples = {} }: Schema, document: Document): Arbitrary<string> {
  const { valuesFor } = createValues(document, true)
  const bySchema = createValues(document, false).fieldsFor(schema)
  const shown = Object.values<{ value: object }>(examples).map(({ value }) =>
    Object.entries(value).map(([key, one]): Field => [key, JSON.stringify(one)]),
  )
  const valid = shown.length === 0 ? bySchema : weighted([4, bySchema], [1, fc.constantFrom(...shown)])
  const mistakes = Object.entries<Schema>(schema.properties ?? {}).map(([key, property]) =>
    fc.oneof(fc.constant(undefined), valuesFor(property, key), oddJson).map((json) => ({ key, json })),
  )
  const nearly =
    mistakes.length === 0
      ? valid
      : fc.tuple(valid, fc.oneof(...mistakes)).map(([fields, { key, json }]) => {
          const others = fields.filter(([name]) => name !== key)
          return json === undefined ? others : [...others, [key, json] as const]
        })
  return weighted([5, valid.map(objectOf)], [2, nearly.map(objectOf)], [3, valuesFor(schema)])
}

const links = fc.constantFrom(
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
)

const checkout = fc.oneof(
  requests({
    entryPoint: 'checkout',
    method: 'POST',
    target: links.map((link) => `/payment?link_id=${link}`),
    body: fc
      .array(
        weighted(
          [3, fc.constantFrom('method=card', 'method=bank-transfer')],
          [3, fc.constantFrom('pay', 'cancel', 'decline', 'pay-and-close').map((one) => `outcome=${one}`)],
          [
            1,
            fc
              .tuple(fc.constantFrom('method', 'outcome', '__proto__', ''), oddText)
              .map(([key, text]) => `${key}=${inQuery(text)}`),
          ],
          [1, oddText],
        ),
        { maxLength: 4 },
      )
      .map((fields) => Buffer.from(fields.join('&'))),
    type: 'application/x-www-form-urlencoded',
  }),
  requests({
    entryPoint: 'checkout',
    method: 'GET',
    target: fc
      .tuple(
        fc.constantFrom('', '/success', '/cancelled', '/closed', '/status', '/style.css', '/waiting.js'),
        links,
        fc.oneof(
          fc.constantFrom('', '&outcome=card', '&outcome=bank', '&outcome=cancel', '&declined', '&waiting'),
          fc.constant('&outcome=x&outcome=card'),
          oddText.map((text) => `&outcome=${inQuery(text)}`),
        ),
      )
      .map(([path, link, more]) => `/payment${path}?link_id=${link}${more}`),
  }),
  requests({ entryPoint: 'checkout', method: 'GET', target: links.map((link) => `/qr/${link}.png`) }),
)

const tunnel = requests({
  entryPoint: 'tunnel',
  method: 'POST',
  target: fc
    .tuple(
      weighted(
        [8, fc.constantFrom('fuzz', 'flower-shop', 'fuzz-listened')],
        [1, oddText.map((text) => inQuery(text).slice(0, 2_000))],
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

const PAGES = [
  '/',
  '/index.html',
  '/favicon.ico',
  '/assets/',
  '/docs',
  '/docs/control',
  '/docs/style.css',
  '/#x',
  '/a?%',
  '/openapi.json',
  '/_sandbox/openapi.json',
  '/_sandbox/v1/seed/schema',
  '/_sandbox/v1',
  '/_sandbox//v1/info',
  '/assets/../../server/cli.js',
  '/..%2f..%2fpackage.json',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/assets/%00.js',
  '/..%5c..%5cpackage.json',
  '/%c0%ae%c0%ae/',
  '/%',
  '/%zz',
  '//',
  '//evil.example/',
  '/\\evil.example',
  '*',
  'http://evil.example/',
  'http://127.0.0.1/_sandbox/v1/info',
  '/_sandbox/v1/%2e%2e/v1/info',
  '/?admin_token=x',
  '/?admin_token=%zz&admin_token=%00',
  '/api/v2',
  '/api/v2/',
  '/api/v1/createLink',
  '/qr/.png',
  '/payment/',
  '/tunnel',
  `/${'a/'.repeat(3_000)}`,
]

const pages = requests({
  entryPoint: 'pages',
  method: 'GET',
  target: weighted(
    [4, fc.constantFrom(...PAGES)],
    [1, oddText.map((text) => `/${inQuery(text).slice(0, 4_000)}`)],
  ),
})
