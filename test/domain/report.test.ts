import { expect, test } from 'vitest'
import { computeReportRange } from '../../server/domain/events/report-range.ts'

const sizesOf = (...sizes: readonly (readonly [event: number, exchange: number])[]) =>
  sizes.map(([event, exchange], index) => ({ seq: sizes.length - index, event, exchange }))

test('the range of a report without events is empty', () => {
  expect(computeReportRange([])).toEqual({ events: Infinity, bytes: Infinity })
})

test('events that fit are reported with their bytes', () => {
  expect(computeReportRange(sizesOf([10, 40], [10, 40]), 100)).toEqual({ events: 1, bytes: 1 })
})

test('older events lose their bytes before they are left out', () => {
  expect(computeReportRange(sizesOf([10, 40], [10, 50], [10, 0], [10, 0]), 100)).toEqual({
    events: 1,
    bytes: 4,
  })
  expect(computeReportRange(sizesOf([10, 80], [5, 50], [5, 0], [5, 0]), 100)).toEqual({ events: 2, bytes: 4 })
  expect(computeReportRange(sizesOf([10, 95]), 100)).toEqual({ events: 1, bytes: Infinity })
})
