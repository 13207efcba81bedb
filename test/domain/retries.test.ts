import { expect, test } from 'vitest'
import { isRetryWaits, parseRetryWaits } from '../../server/domain/behaviors/retry-waits.ts'

const twenty = Array.from({ length: 20 }, () => '1s').join(',')

test.each(['1s', '5s,30s,2m,1h', '30d', '720h', '43200m', '2592000s', twenty])(
  'the behavior retries reads %s as delays',
  (text) => {
    expect(isRetryWaits(text)).toBe(true)
  },
)

test.each([
  '',
  ',',
  '5s,',
  '5s,,5s',
  '5s, 30s',
  '0s',
  '05s',
  '-5s',
  '1.5h',
  '5',
  '5S',
  '5w',
  '5ms',
  '31d',
  '721h',
  '2592001s',
  '99999999s',
  `${twenty},1s`,
])('the behavior retries refuses "%s"', (text) => {
  expect(isRetryWaits(text)).toBe(false)
})

test('the delays of retries are in milliseconds', () => {
  expect(parseRetryWaits('5s,2m,1h,30d')).toEqual([5_000, 120_000, 3_600_000, 2_592_000_000])
  expect(parseRetryWaits('none')).toEqual([])
})
