import { expect, test } from 'vitest'
import { computeReportRange } from '../../server/domain/events/report-range.ts'

const sizesOf = (...sizes: readonly (readonly [event: number, exchange: number])[]) =>
  sizes.map(([event, exchange], index) => ({ seq: sizes.length - index, event, exchange }))

test('a report without events has an empty range', () => {
  expect(computeReportRange([])).toEqual({ events: Infinity, bytes: Infinity })
})

test('a report contains the bytes of all events that fit', () => {
  expect(computeReportRange(sizesOf([10, 40], [10, 40]), 100)).toEqual({ events: 1, bytes: 1 })
})

test('a report first leaves out the bytes of older events, then the events', () => {
  expect(computeReportRange(sizesOf([10, 40], [10, 50], [10, 0], [10, 0]), 100)).toEqual({
    events: 1,
    bytes: 4,
  })
  expect(computeReportRange(sizesOf([10, 80], [5, 50], [5, 0], [5, 0]), 100)).toEqual({ events: 2, bytes: 4 })
  expect(computeReportRange(sizesOf([10, 95]), 100)).toEqual({ events: 1, bytes: Infinity })
})
