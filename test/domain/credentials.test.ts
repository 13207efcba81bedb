import { expect, test } from 'vitest'
import {
  hasCredentials,
  hidePasswords,
  keepCredentials,
  splitCredentials,
  withAuthorization,
} from '../../server/domain/network/credentials.ts'

test.each<[address: string, pair: string | undefined, url: string]>([
  ['https://shop:geheim@a.test/x?y=1', 'shop:geheim', 'https://a.test/x?y=1'],
  ['https://sh%40p:p%40ss%3a%2F@a.test/', 'sh@p:p@ss:/', 'https://a.test/'],
  ['https://shop:p@ss@a.test/', 'shop:p@ss', 'https://a.test/'],
  ['https://jürgen:geheiß@a.test/', 'jürgen:geheiß', 'https://a.test/'],
  ['https://:geheim@a.test/', ':geheim', 'https://a.test/'],
  ['https://shop:@a.test/', 'shop:', 'https://a.test/'],
  ['https://shop@a.test/', 'shop:', 'https://a.test/'],
  ['https://shop:100%@a.test/', 'shop:100%', 'https://a.test/'],
  ['https://a.test/@x', undefined, 'https://a.test/@x'],
])('the address %s sends the Authorization %s', (address, pair, url) => {
  const split = splitCredentials(address)

  const sent = split.authorization && Buffer.from(split.authorization.slice('Basic '.length), 'base64')
  expect([sent?.toString(), split.url.href, hasCredentials(address)]).toEqual([pair, url, pair !== undefined])
})

test.each<[text: string, shown: string]>([
  ['https://shop:geheim@a.test:8080/x@y', 'https://shop:…@a.test:8080/x@y'],
  ['https://shop:p@ss@a.test/', 'https://shop:…@a.test/'],
  ['https://:geheim@a.test/', 'https://:…@a.test/'],
  ['https://shop@a.test/', 'https://shop@a.test/'],
  ['ftp://shop:geheim@a.test is no URL', 'ftp://shop:…@a.test is no URL'],
  ['https://shop:ge/heim@a.test/', 'https://shop:…@a.test/'],
  [
    'a http://shop:geheim@a.test, b http://b.test:80 me@b.test',
    'a http://shop:…@a.test, b http://b.test:80 me@b.test',
  ],
  [
    '{"to":"http:\\/\\/shop:geheim@a.test","by":"me@b.test"}',
    '{"to":"http:\\/\\/shop:…@a.test","by":"me@b.test"}',
  ],
  ['{"to":"http://a.test:3000","by":"me@b.test"}', '{"to":"http://a.test:3000","by":"me@b.test"}'],
  [
    'to=http%3A%2F%2Fshop%3Ageh%2540eim%40a.test%2F&by=a%40b',
    'to=http%3A%2F%2Fshop%3A…%40a.test%2F&by=a%40b',
  ],
  ['to=http%3A%2F%2Fa.test%3A80%2F&by=a%40b', 'to=http%3A%2F%2Fa.test%3A80%2F&by=a%40b'],
  ['http://a.test:80=http://shop:geheim@b.test', 'http://a.test:80=http://shop:…@b.test'],
  ['http://[::1]:3000/@vite', 'http://[::1]:3000/@vite'],
  ['http://a.test:3000/a:b@c', 'http://a.test:3000/a:b@c'],
])('the text %s is shown as %s', (text, shown) => {
  expect(hidePasswords(text)).toBe(shown)
})

test('an Authorization header of the request overrides the password in the URL', () => {
  const own = [['authorization', 'Bearer x']] as const

  expect(withAuthorization(own, 'Basic y')).toBe(own)
  expect(withAuthorization([['a', 'b']], 'Basic y')).toEqual([
    ['a', 'b'],
    ['Authorization', 'Basic y'],
  ])
})

test('a map or a redirect keeps the credentials, unless the new address has its own', () => {
  const from = new URL('https://shop:p%40ss@a.test/')

  expect(keepCredentials(from, 'http://b.test/x')).toBe('http://shop:p%40ss@b.test/x')
  expect(keepCredentials(from, 'http://me:other@b.test/x')).toBe('http://me:other@b.test/x')
  expect(keepCredentials(from, '/tunnel/shop')).toBe('/tunnel/shop')
})
