import { expect, test } from 'vitest'
import { formatRoute, parseRoute, type Route } from '../../ui/hash-route.ts'

test.each<[hash: string, route: Route]>([
  ['#/timeline', { screen: 'timeline', id: undefined, query: '' }],
  ['#/timeline/42', { screen: 'timeline', id: 42, query: '' }],
  ['#/timeline/42?q=kind:api', { screen: 'timeline', id: 42, query: 'kind:api' }],
  ['#/timeline?q=a%20%26%20b%3F%23', { screen: 'timeline', id: undefined, query: 'a & b?#' }],
  ['#/review', { screen: 'review', id: undefined, query: '' }],
  ['#/payments/1001', { screen: 'payments', id: 1001, query: '' }],
])('%s is read and written back', (hash, route) => {
  expect(parseRoute(hash)).toEqual(route)
  expect(formatRoute(route)).toBe(hash)
})

test.each([[''], ['#'], ['#/elsewhere'], ['#/timeline/x']])('%j is the timeline', (hash) => {
  expect(parseRoute(hash)).toEqual({ screen: 'timeline', id: undefined, query: '' })
})
