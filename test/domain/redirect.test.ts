import { expect, test } from 'vitest'
import { redirectLocation } from '../../server/domain/webhooks/redirect.ts'

test.each<[what: string, callback: string, location: string]>([
  ['a bare address', 'http://shop.test/done', 'http://shop.test/done?pay_id=7&status=Success'],
  ['an origin', 'http://shop.test', 'http://shop.test/?pay_id=7&status=Success'],
  [
    'a query is kept',
    'http://shop.test/done?a=1&b=%20c',
    'http://shop.test/done?a=1&b=%20c&pay_id=7&status=Success',
  ],
  ['a fragment stays last', 'http://shop.test/done#top', 'http://shop.test/done?pay_id=7&status=Success#top'],
  ['both', 'http://shop.test/done?a=1#top', 'http://shop.test/done?a=1&pay_id=7&status=Success#top'],
  ['an empty query', 'http://shop.test/done?', 'http://shop.test/done?pay_id=7&status=Success'],
  [
    'a query that ends in an ampersand',
    'http://shop.test/done?a=1&',
    'http://shop.test/done?a=1&pay_id=7&status=Success',
  ],
  [
    'a query of nothing but ampersands',
    'http://shop.test/done?&&',
    'http://shop.test/done?pay_id=7&status=Success',
  ],
  [
    'other scripts are encoded',
    'http://shop.test/döne?ü=ß',
    'http://shop.test/d%C3%B6ne?%C3%BC=%C3%9F&pay_id=7&status=Success',
  ],
  [
    'line breaks cannot reach the header',
    'http://shop.test/a\r\nX-Evil: 1',
    'http://shop.test/aX-Evil:%201?pay_id=7&status=Success',
  ],
])('a redirect keeps the callback URL: %s', (_what, callback, location) => {
  expect(redirectLocation(callback, 7, 'Success')).toBe(location)
})
