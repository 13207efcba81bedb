import { expect, test } from 'vitest'
import { berlinTime, berlinZone } from '../../server/domain/time/berlin-time.ts'

test.each([
  ['2026-07-01T10:00:00Z', '2026-07-01 12:00:00', 'CEST'],
  ['2026-01-01T23:30:00Z', '2026-01-02 00:30:00', 'CET'],
  ['2026-03-29T00:59:59Z', '2026-03-29 01:59:59', 'CET'],
  ['2026-03-29T01:00:00Z', '2026-03-29 03:00:00', 'CEST'],
  ['2026-10-25T00:59:59Z', '2026-10-25 02:59:59', 'CEST'],
  ['2026-10-25T01:00:00Z', '2026-10-25 02:00:00', 'CET'],
])('the time %s is %s %s in Berlin', (at, text, zone) => {
  expect([berlinTime(at), berlinZone(at)]).toEqual([text, zone])
})

test('Berlin time matches the time zone database on every day from 1970 to 2100', () => {
  const expected = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Berlin',
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const differing: string[] = []
  for (let day = Date.UTC(1970, 0, 1); day < Date.UTC(2101, 0, 1); day += 86_400_000) {
    // The time changes at 01:00 UTC.
    for (const at of [new Date(day + 3_599_000), new Date(day + 3_600_000)]) {
      if (berlinTime(at) !== expected.format(at)) differing.push(at.toISOString())
    }
  }

  expect(differing).toEqual([])
})
