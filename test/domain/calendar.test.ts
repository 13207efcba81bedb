import { expect, test } from 'vitest'
import { addSpan, nextMonth, berlinMonth, monthStart, type Span } from '../../server/domain/time/calendar.ts'
import { berlinTime } from '../../server/domain/time/berlin-time.ts'

test.each<[at: string, span: Span, inBerlin: string]>([
  ['2027-01-31T11:00:00Z', { months: 1 }, '2027-02-28 12:00:00'],
  ['2028-01-31T11:00:00Z', { months: 1 }, '2028-02-29 12:00:00'],
  ['2027-01-31T11:00:00Z', { months: 2 }, '2027-03-31 12:00:00'],
  ['2026-12-31T22:59:59Z', { months: 2 }, '2027-02-28 23:59:59'],
  ['2026-12-31T23:00:00Z', { months: 1 }, '2027-02-01 00:00:00'],
  ['2026-11-30T11:00:00Z', { months: 14 }, '2028-01-30 12:00:00'],
  ['2026-11-30T11:00:00Z', { months: 1, days: 1, hours: 1, minutes: 1 }, '2026-12-31 13:01:00'],
  // The clocks go forward: the day has 23 hours and no 02:30.
  ['2027-03-27T11:00:00Z', { days: 1 }, '2027-03-28 12:00:00'],
  ['2027-03-27T11:00:00Z', { hours: 24 }, '2027-03-28 13:00:00'],
  ['2027-03-27T01:30:00Z', { days: 1 }, '2027-03-28 03:30:00'],
  // The clocks go back: the day has 25 hours, and 02:30 occurs twice.
  ['2026-10-24T10:00:00Z', { days: 1 }, '2026-10-25 12:00:00'],
  ['2026-10-24T10:00:00Z', { hours: 24 }, '2026-10-25 11:00:00'],
  ['2026-10-25T01:30:00Z', { minutes: 1 }, '2026-10-25 02:31:00'],
])('the time %s plus %o is %s in Berlin', (at, span, inBerlin) => {
  expect(berlinTime(new Date(addSpan(at, span)))).toBe(inBerlin)
})

test('if an hour occurs twice in Berlin, a day later means the first of the two', () => {
  expect(new Date(addSpan('2026-10-24T00:30:00Z', { days: 1 })).toISOString()).toBe(
    '2026-10-25T00:30:00.000Z',
  )
  expect(new Date(addSpan('2026-10-25T01:30:00Z', {})).toISOString()).toBe('2026-10-25T01:30:00.000Z')
})

test.each([
  ['2026-12', '2026-11-30T23:00:00.000Z', '2027-01'],
  ['2026-07', '2026-06-30T22:00:00.000Z', '2026-08'],
  ['2027-04', '2027-03-31T22:00:00.000Z', '2027-05'],
])('the month %s begins in Berlin at %s and is followed by %s', (month, start, next) => {
  expect(monthStart(month)).toBe(start)
  expect(nextMonth(month)).toBe(next)
  expect(berlinMonth(start)).toBe(month)
  expect(berlinMonth(new Date(Date.parse(start) - 1).toISOString())).not.toBe(month)
})
