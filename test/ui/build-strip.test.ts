import { expect, test } from 'vitest'
import { buildStrip, pixelOf, timeAt, type Moments } from '../../ui/timeline/build-strip.ts'

const DAY = 86_400_000
const moments = (...times: number[]): Moments => ({ times, outcomes: times.map(() => 'other') })
const total = (strip: ReturnType<typeof buildStrip>) =>
  strip.segments
    .flatMap(({ bars }) => bars)
    .reduce((sum, { failed, waiting, other }) => sum + failed + waiting + other, 0)

test('without events, the strip is empty', () => {
  expect(buildStrip(moments(), 400)).toEqual({ segments: [], gaps: [], highest: 0 })
})

test('each event is counted in exactly one bar, under its outcome', () => {
  const strip = buildStrip(
    { times: [0, 1, 2, 1_000], outcomes: ['failed', 'waiting', 'other', 'other'] },
    200,
  )
  expect(strip.segments).toHaveLength(1)
  expect(strip.segments[0]!.bars[0]).toEqual({ failed: 1, waiting: 1, other: 1 })
  expect(total(strip)).toBe(4)
  expect(strip.highest).toBe(3)
})

test('long gaps without events are folded, the longest first', () => {
  const strip = buildStrip(moments(0, 5_000, DAY, DAY + 5_000, 3 * DAY), 800)
  expect(strip.gaps.map(({ ms }) => ms)).toEqual([DAY - 5_000, 2 * DAY - 5_000])
  expect(strip.segments).toHaveLength(3)
  expect(total(strip)).toBe(5)
})

test('a narrow strip folds fewer gaps', () => {
  expect(buildStrip(moments(0, DAY, 2 * DAY, 3 * DAY), 150).gaps).toHaveLength(0)
})

test('events are in the sequence of their times, even if the clock was set back', () => {
  const strip = buildStrip(moments(DAY, DAY + 1_000, 0, 1_000), 600)
  expect(strip.segments.map(({ from }) => from)).toEqual([0, DAY])
  expect(total(strip)).toBe(4)
})

test('a position in the strip becomes a time, and a time becomes a position', () => {
  const strip = buildStrip(moments(0, 20_000, 40_000, DAY, DAY + 20_000, DAY + 40_000), 600)
  for (const ms of [0, 30_000, DAY + 30_000]) {
    expect(Math.abs(timeAt(strip, pixelOf(strip, ms)) - ms)).toBeLessThan(1)
  }
})
