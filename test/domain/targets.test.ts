import { expect, test } from 'vitest'
import { resolveTargets } from '../../server/domain/links/targets.ts'

const list = (outOfRange: 'refuse' | 'ignore' = 'refuse') => ({
  field: 'payment_endpoint',
  listName: 'webhook URLs',
  urls: ['http://a.test/0', 'http://a.test/1'],
  outOfRange: () => outOfRange,
})

test.each<[what: string, given: string, urls: string[]]>([
  ['nothing', '', []],
  ['an index', '1', ['http://a.test/1']],
  ['an index with a leading zero', '01', ['http://a.test/1']],
  ['a URL', 'https://b.test/x?y=1', ['https://b.test/x?y=1']],
  ['a mix, in its order', '1, https://b.test ,0', ['http://a.test/1', 'https://b.test', 'http://a.test/0']],
  ['empty entries are skipped', ',0,,', ['http://a.test/0']],
  ['a target that is named twice is listed twice', '0,0', ['http://a.test/0', 'http://a.test/0']],
])('%s', (_what, given, urls) => {
  expect(resolveTargets(given, list()).map(({ url }) => url)).toEqual(urls)
})

test('each target states where it comes from', () => {
  expect(resolveTargets('https://b.test,1', list())).toEqual([
    { url: 'https://b.test', reason: "The link's payment_endpoint names this URL" },
    {
      url: 'http://a.test/1',
      reason: "The link's payment_endpoint names index 1 of the account's webhook URLs",
    },
  ])
})

test('an index past the end is refused, or ignored', () => {
  expect(() => resolveTargets('0,2', list('refuse'))).toThrow('payment_endpoint index 2 is out of range')
  expect(resolveTargets('0,2', list('ignore')).map(({ url }) => url)).toEqual(['http://a.test/0'])
})

test.each([
  'ftp://a.test',
  'javascript:alert(1)',
  '-1',
  '1.0',
  'a.test',
  '//a.test',
  'http://',
  'http:a.test/x',
  'http:/a.test/x',
  'http:///a.test/x',
  'http:\\\\a.test\\x',
  'http://a.test/x\r\nx-evil: 1',
  'http://a.te\tst/x',
  'http://a.test/\0',
])('%s is neither a URL nor an index', (entry) => {
  expect(() => resolveTargets(entry, list())).toThrow(
    `payment_endpoint entry 0 is neither an http(s) URL nor an index`,
  )
})
