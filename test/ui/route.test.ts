import { expect, test } from 'vitest'
import { formatRoute, parseRoute, type Route } from '../../ui/browser/hash-route.ts'

const SHOP = '00000000-0000-4000-8000-000000000001'
const account = { screen: 'account', id: undefined, query: '' } as const

test.each<[hash: string, route: Route]>([
  ['#/timeline', { screen: 'timeline', id: undefined, query: '' }],
  ['#/timeline/42', { screen: 'timeline', id: 42, query: '' }],
  ['#/timeline/42?q=kind:api', { screen: 'timeline', id: 42, query: 'kind:api' }],
  ['#/timeline?q=a%20%26%20b%3F%23', { screen: 'timeline', id: undefined, query: 'a & b?#' }],
  ['#/review', { screen: 'review', id: undefined, query: '' }],
  ['#/payments/1001', { screen: 'payments', id: 1001, query: '' }],
  [
    '#/payments?q=is:split&sort=-note',
    { screen: 'payments', id: undefined, query: 'is:split', sort: '-note' },
  ],
  ['#/account', { screen: 'account', id: undefined, query: '' }],
  ['#/account/00000000-0000-4000-8000-000000000001', { ...account, account: SHOP }],
  ['#/account?point=keys', { ...account, point: 'keys' }],
  ['#/sandbox?point=payId', { ...account, screen: 'sandbox', point: 'payId' }],
  [`#/sandbox/${SHOP}`, { ...account, screen: 'sandbox', account: SHOP }],
  [
    '#/account/00000000-0000-4000-8000-000000000001?point=webhook-urls',
    { ...account, account: SHOP, point: 'webhook-urls' },
  ],
  ['#/account/1001', { ...account, account: '1001' }],
])('%s is parsed and written back', (hash, route) => {
  expect(parseRoute(hash)).toEqual(route)
  expect(formatRoute(route)).toBe(hash)
})

test.each([[''], ['#'], ['#/elsewhere'], ['#/elsewhere/12'], ['#/timeline/x']])(
  '%j leads to the timeline',
  (hash) => {
    expect(parseRoute(hash)).toEqual({ screen: 'timeline', id: undefined, query: '' })
  },
)

test.each([
  ['#/account?point=behaviors', '#/sandbox?point=behaviors'],
  ['#/account?point=reset', '#/sandbox?point=reset'],
  [`#/account/${SHOP}?point=payId`, `#/sandbox/${SHOP}?point=payId`],
])('the older address %s leads to %s', (older, current) => {
  expect(formatRoute(parseRoute(older))).toBe(current)
})

test('links within the account screen stay there', () => {
  expect(parseRoute('#/timeline/42?point=payId')).toEqual({ screen: 'timeline', id: 42, query: '' })
  expect(formatRoute({ screen: 'payments', account: SHOP, point: 'payId' })).toBe('#/payments')
  expect(parseRoute('#/account/../x?point=')).toEqual(account)
})
