import { expect, test } from 'vitest'
import { berlinTime, berlinZone } from '../../server/domain/time/time.ts'

test.each([
  ['2026-07-01T10:00:00Z', '2026-07-01 12:00:00', 'CEST'],
  ['2026-01-01T23:30:00Z', '2026-01-02 00:30:00', 'CET'],
  ['2026-03-29T00:59:59Z', '2026-03-29 01:59:59', 'CET'],
  ['2026-03-29T01:00:00Z', '2026-03-29 03:00:00', 'CEST'],
  ['2026-10-25T00:59:59Z', '2026-10-25 02:59:59', 'CEST'],
  ['2026-10-25T01:00:00Z', '2026-10-25 02:00:00', 'CET'],
])('%s is %s %s in Berlin', (at, text, zone) => {
  expect([berlinTime(at), berlinZone(at)]).toEqual([text, zone])
})
