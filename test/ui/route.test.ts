import { expect, test } from 'vitest'
import { findUnknownPart, formatRoute, parseRoute, type Route } from '../../ui/browser/hash-route.ts'

const SHOP = '00000000-0000-4000-8000-000000000001'
const account = { screen: 'connect', tab: 'accounts', id: undefined, query: '' } as const
const payments = { screen: 'payments', tab: 'all', id: undefined, query: '' } as const
const sandbox = { screen: 'sandbox', id: undefined, query: '' } as const

test.each<[hash: string, route: Route]>([
  ['#/timeline', { screen: 'timeline', id: undefined, query: '' }],
  ['#/timeline/42', { screen: 'timeline', id: 42, query: '' }],
  ['#/timeline/42?q=kind:api', { screen: 'timeline', id: 42, query: 'kind:api' }],
  ['#/timeline?q=a%20%26%20b%3F%23', { screen: 'timeline', id: undefined, query: 'a & b?#' }],
  ['#/payments', payments],
  ['#/payments/review', { ...payments, tab: 'review' }],
  ['#/payments/1001', { ...payments, id: 1001 }],
  ['#/test', { screen: 'test', tab: 'scenarios', id: undefined, query: '' }],
  ['#/test/faults', { screen: 'test', tab: 'faults', id: undefined, query: '' }],
  ['#/connect/held-webhooks', { ...account, tab: 'held-webhooks' }],
  ['#/payments?q=is:split&sort=-note', { ...payments, query: 'is:split', sort: '-note' }],
  ['#/connect', account],
  ['#/connect/accounts/00000000-0000-4000-8000-000000000001', { ...account, account: SHOP }],
  ['#/connect?point=keys', { ...account, point: 'keys' }],
  ['#/sandbox?point=payId', { ...sandbox, point: 'payId' }],
  [`#/sandbox/${SHOP}`, { ...sandbox, account: SHOP }],
  [
    '#/connect/accounts/00000000-0000-4000-8000-000000000001?point=webhook-urls',
    { ...account, account: SHOP, point: 'webhook-urls' },
  ],
  ['#/connect/accounts/1001', { ...account, account: '1001' }],
])('the address %s is parsed and written back', (hash, route) => {
  expect(parseRoute(hash)).toEqual(route)
  expect(formatRoute(route)).toBe(hash)
})

test('an address that names only the second event of a comparison leads to the list', () => {
  expect(parseRoute('#/timeline?with=11').other).toBeUndefined()
  expect(parseRoute('#/timeline/10?with=11').other).toBe(11)
})

test.each([[''], ['#'], ['#/elsewhere'], ['#/elsewhere/12'], ['#/timeline/x']])(
  'the address %j leads to the timeline',
  (hash) => {
    expect(parseRoute(hash)).toEqual({ screen: 'timeline', id: undefined, query: '' })
  },
)

test.each([
  ['#/review', '#/payments/review'],
  ['#/faults', '#/test/faults'],
  ['#/checks', '#/test/checks'],
  ['#/scenarios', '#/test'],
  ['#/maps', '#/connect/maps'],
  ['#/tunnels', '#/connect/tunnels'],
  ['#/account', '#/connect'],
  ['#/accounts', '#/connect'],
  ['#/connect/accounts', '#/connect'],
  ['#/payments/all', '#/payments'],
  ['#/payments/all/1001', '#/payments/1001'],
  ['#/test/maps', '#/test'],
  ['#/constructor', '#/timeline'],
  [`#/account/${SHOP}`, `#/connect/accounts/${SHOP}`],
  ['#/account?point=behaviors', '#/sandbox?point=behaviors'],
  ['#/account?point=reset', '#/sandbox?point=reset'],
  [`#/account/${SHOP}?point=payId`, `#/sandbox/${SHOP}?point=payId`],
])('the older address %s leads to %s', (older, current) => {
  expect(formatRoute(parseRoute(older))).toBe(current)
})

test.each([
  ['#/elsewhere/12', { name: 'elsewhere' }],
  ['#/connect/tunels?point=keys', { name: 'tunels', screen: 'connect' }],
  ['#/connect/1001', { name: '1001', screen: 'connect' }],
  ['#/timeline/x', { name: 'x', screen: 'timeline' }],
  ['#/review/x', { name: 'x', screen: 'payments' }],
  ['#/overview/faults', { name: 'faults', screen: 'overview' }],
  ['#/timeline?q=a/b', undefined],
  ['#/payments/1001', undefined],
  ['#/payments/', undefined],
  ['#/account/1001', undefined],
  ['#/sandbox/1001', undefined],
  ['', undefined],
])('the unknown part of %j is %o', (hash, unknown) => {
  expect(findUnknownPart(hash)).toEqual(unknown)
})

test('an address names the account only on screens that show a single account', () => {
  expect(parseRoute('#/timeline/42?point=payId')).toEqual({ screen: 'timeline', id: 42, query: '' })
  expect(formatRoute({ screen: 'payments', account: SHOP, point: 'payId' })).toBe('#/payments')
  expect(parseRoute('#/account/../x?point=')).toEqual(account)
  expect(parseRoute('#/payments/review/1001')).toEqual({ ...payments, tab: 'review' })
})
