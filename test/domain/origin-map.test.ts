import { expect, test } from 'vitest'
import { whyInvalidMapOrigin, whyInvalidMapTarget } from '../../server/domain/network/validate-map.ts'
import { applyMaps, normalizeMap } from '../../server/domain/network/origin-map.ts'

const maps = [
  { from: 'https://*.example.com', to: 'http://localhost:3000' },
  { from: 'https://*.shop.example.com', to: 'http://localhost:3001' },
  { from: 'https://eu.shop.example.com', to: 'http://localhost:3002/eu' },
  { from: 'http://plain.example.com:8080', to: '/tunnel/plain' },
].map(normalizeMap)

test.each<[address: string, to: string | undefined]>([
  ['https://www.example.com/hook?a=1&b=%20', 'http://localhost:3000/hook?a=1&b=%20'],
  ['https://a.b.example.com', 'http://localhost:3000/'],
  ['https://us.shop.example.com/hook', 'http://localhost:3001/hook'],
  ['https://eu.shop.example.com/hook#part', 'http://localhost:3002/eu/hook#part'],
  ['https://EU.shop.example.com./hook', 'http://localhost:3002/eu/hook'],
  ['https://eu.shop.example.com:443/hook', 'http://localhost:3002/eu/hook'],
  ['http://plain.example.com:8080/hook', '/tunnel/plain/hook'],
  ['https://example.com/hook', undefined],
  ['https://evil-example.com/hook', undefined],
  ['http://www.example.com/hook', undefined],
  ['https://www.example.com:8443/hook', undefined],
  ['/tunnel/flower-shop', undefined],
  ['no address', undefined],
])('with these maps, the address %s leads to %s', (address, to) => {
  expect(applyMaps(address, maps)?.to).toBe(to)
})

test('a mapped address is not mapped again, so maps cannot loop', () => {
  const round = [
    { from: 'https://a.example', to: 'https://b.example' },
    { from: 'https://b.example', to: 'https://a.example' },
  ]
  expect(applyMaps('https://a.example/x', round)?.to).toBe('https://b.example/x')
})

test.each<[from: string, objection: string | null]>([
  ['https://shop.example.com', null],
  ['https://shop.example.com/', null],
  ['http://[::1]:8080', null],
  ['https://*.example.com:8443', null],
  ['shop.example.com', 'should be an origin like https://shop.example.com'],
  ['localhost:3000', 'should be an origin like https://shop.example.com'],
  ['ftp://shop.example.com', 'should be an origin like '],
  ['https://me:secret@shop.example.com', 'without user name and password, like https://shop.example.com'],
  ['', 'should be an origin like '],
  ['https://shop.example.com/hook', 'without a path, like https://shop.example.com: the path is kept'],
  ['https://shop.*.com', 'can have a wildcard only as its first label'],
  ['https://*', 'can have a wildcard only as its first label'],
  ['https://*shop.example.com', 'can have a wildcard only as its first label'],
])('a map from %s is accepted, or refused with the reason: %s', (from, objection) => {
  expect(whyInvalidMapOrigin(from)).toEqual(objection && expect.stringContaining(objection))
})

test.each<[to: string, objection: string | null]>([
  ['http://localhost:3000', null],
  ['http://localhost:3000/shop/', null],
  ['/tunnel/shop', null],
  ['localhost:3000', 'should be an address like http://localhost:3000, or a path below /tunnel/'],
  ['/payment', 'should be an address like '],
  ['/tunnel/../payment', 'should be an address like '],
  ['https://*.example.com', 'should be an address like '],
  ['http://localhost:3000/?a=1', 'should have no query and no fragment'],
])('a map to %s is accepted, or refused with the reason: %s', (to, objection) => {
  expect(whyInvalidMapTarget(to)).toEqual(objection && expect.stringContaining(objection))
})
