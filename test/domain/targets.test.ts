import { expect, test } from 'vitest'
import type { BehaviorSettings } from '../../server/domain/behaviors/behavior.ts'
import { resolveTargets, type Target } from '../../server/domain/links/targets.ts'

const resolve = (
  given: string,
  outOfRange: BehaviorSettings['indexOutOfRange'] = 'refuse',
  usesFirstOnly = false,
): Target[] => {
  const urls = ['http://a.test/0', 'http://a.test/1']
  const list = { field: 'payment_endpoint', listName: 'webhook URLs', urls, usesFirstOnly }
  return resolveTargets(given, list, { outOfRange: () => outOfRange })
}

test.each<[what: string, given: string, urls: string[]]>([
  ['nothing', '', []],
  ['an index', '1', ['http://a.test/1']],
  ['an index with a leading zero', '01', ['http://a.test/1']],
  ['a URL', 'https://b.test/x?y=1', ['https://b.test/x?y=1']],
  [
    'a mix of both keeps its sequence',
    '1, https://b.test ,0',
    ['http://a.test/1', 'https://b.test', 'http://a.test/0'],
  ],
  ['empty entries are skipped', ',0,,', ['http://a.test/0']],
  ['a target that is named twice is listed twice', '0,0', ['http://a.test/0', 'http://a.test/0']],
])('the targets of a link are resolved: %s', (_what, given, urls) => {
  expect(resolve(given).map(({ url }) => url)).toEqual(urls)
})

test('each target states where it comes from', () => {
  expect(resolve('https://b.test,1')).toEqual([
    { url: 'https://b.test', reason: "The link's payment_endpoint names this URL" },
    {
      url: 'http://a.test/1',
      reason: "The link's payment_endpoint names index 1 of the account's webhook URLs",
    },
  ])
})

const ZERO = 'http://a.test/0'

test.each<
  [given: string, option: BehaviorSettings['indexOutOfRange'], all: string[] | null, first: string[] | null]
>([
  ['0,2', 'refuse', null, null],
  ['2,0', 'refuse', null, null],
  ['0,2', 'refuse-used', null, [ZERO]],
  ['2,0', 'refuse-used', null, null],
  [',0,2', 'refuse-used', null, [ZERO]],
  ['0,2', 'ignore', [ZERO], [ZERO]],
  ['2,0', 'ignore', [ZERO], [ZERO]],
  ['2', 'ignore', [], []],
  ['0,2', 'ignore-field', [], []],
  ['2,0', 'ignore-field', [], []],
  ['0', 'ignore-field', [ZERO], [ZERO]],
])(
  'the list %s with indexOutOfRange=%s resolves to %j, or to %j if only the first URL is used',
  (given, option, all, first) => {
    for (const [usesFirstOnly, urls] of [
      [false, all],
      [true, first],
    ] as const) {
      const resolveUrls = () => resolve(given, option, usesFirstOnly).map(({ url }) => url)
      if (urls === null) expect(resolveUrls).toThrow('payment_endpoint index 2 is out of range')
      else expect(resolveUrls()).toEqual(urls)
    }
  },
)

test('an entry that is neither a URL nor an index is refused for every option', () => {
  for (const option of ['refuse', 'refuse-used', 'ignore', 'ignore-field'] as const) {
    expect(() => resolve('0,x', option, true)).toThrow('entry 1 is neither')
    expect(() => resolve('0,2,x', option, true)).toThrow()
  }
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
])('the entry %s is neither a URL nor an index', (entry) => {
  expect(() => resolve(entry)).toThrow(`payment_endpoint entry 0 is neither an http(s) URL nor an index`)
})
