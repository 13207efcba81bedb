import type { EventOutcome } from '../components/outcome.ts'

/** The events of a list, as parallel arrays, oldest first. */
export interface Moments {
  /** In milliseconds. */
  readonly times: readonly number[]
  readonly outcomes: readonly EventOutcome[]
}

type Bar = Readonly<Record<EventOutcome, number>>

/** A time range without long gaps. */
interface Segment {
  /** In pixels. */
  readonly x: number
  readonly width: number
  /** In milliseconds. */
  readonly from: number
  readonly to: number
  readonly bars: readonly Bar[]
}

interface Gap {
  readonly x: number
  readonly ms: number
}

export interface Strip {
  readonly segments: readonly Segment[]
  readonly gaps: readonly Gap[]
  /** The number of events in the highest bar. */
  readonly highest: number
}

export const GAP_WIDTH = 52
/** The width of a bar with the space after it. */
export const BAR_STEP = 7

const MIN_GAP_MS = 60_000
/** A gap is folded if it is longer than this share of the time. */
const GAP_SHARE = 0.12
const MAX_GAPS = 4
const MIN_SEGMENT_WIDTH = 70

/** Counts events in bars over time, and folds the longest times without events. */
export function buildStrip({ times, outcomes }: Moments, width: number): Strip {
  if (times.length === 0 || width <= 0) return { segments: [], gaps: [], highest: 0 }
  const order = isSorted(times)
    ? undefined
    : times.map((_, index) => index).toSorted((a, b) => times[a]! - times[b]!)
  const at = (index: number): number => times[order ? order[index]! : index]!
  const outcomeAt = (index: number): EventOutcome => outcomes[order ? order[index]! : index]!

  const breaks = longestGaps(
    times.length,
    at,
    Math.min(MAX_GAPS, Math.floor(width / (MIN_SEGMENT_WIDTH + GAP_WIDTH)) - 1),
  )
  const starts = [0, ...breaks]
  const parts = starts.map((start, index) => ({ start, end: starts[index + 1] ?? times.length }))
  const widths = shareWidth(
    parts.map(({ start, end }) => Math.sqrt(end - start)),
    width - breaks.length * GAP_WIDTH,
  )

  let x = 0
  const gaps: Gap[] = []
  const segments = parts.map(({ start, end }, index): Segment => {
    if (index > 0) {
      gaps.push({ x, ms: at(start) - at(start - 1) })
      x += GAP_WIDTH
    }
    const barCount = Math.max(1, Math.floor(widths[index]! / BAR_STEP))
    const from = at(start)
    // The last event lies inside the last bar, and not at its end.
    const to = Math.max(at(end - 1) + 1, from + barCount)
    const bars = Array.from({ length: barCount }, () => ({ failed: 0, waiting: 0, other: 0 }))
    for (let event = start; event < end; event++) {
      const bar = Math.min(barCount - 1, Math.floor(((at(event) - from) / (to - from)) * barCount))
      bars[bar]![outcomeAt(event)] += 1
    }
    const segment = { x, width: barCount * BAR_STEP, from, to, bars }
    x += widths[index]!
    return segment
  })
  const highest = Math.max(
    ...segments.flatMap(({ bars }) => bars.map(({ failed, waiting, other }) => failed + waiting + other)),
  )
  return { segments, gaps, highest }
}

function isSorted(times: readonly number[]): boolean {
  for (let index = 1; index < times.length; index++) if (times[index]! < times[index - 1]!) return false
  return true
}

/** The indexes of the events after the longest gaps, sorted. */
function longestGaps(count: number, at: (index: number) => number, limit: number): number[] {
  const candidates: { readonly index: number; readonly ms: number }[] = []
  for (let index = 1; index < count; index++) {
    const ms = at(index) - at(index - 1)
    if (ms >= MIN_GAP_MS) candidates.push({ index, ms })
  }
  candidates.sort((a, b) => b.ms - a.ms)
  let rest = at(count - 1) - at(0)
  const chosen: number[] = []
  for (const { index, ms } of candidates) {
    if (chosen.length >= limit || ms < rest * GAP_SHARE) break
    chosen.push(index)
    rest -= ms
  }
  return chosen.toSorted((a, b) => a - b)
}

/** Divides a width by weights. Each part has a minimum. */
function shareWidth(weights: readonly number[], width: number): number[] {
  const minimum = Math.min(MIN_SEGMENT_WIDTH, width / weights.length)
  const rest = width - minimum * weights.length
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => minimum + (rest * weight) / sum)
}

/** The position of a time in pixels. A time inside a gap is at the gap. */
export function pixelOf({ segments }: Strip, ms: number): number {
  const segment = segments.findLast(({ from }) => from <= ms) ?? segments[0]
  if (!segment) return 0
  const share = Math.max(0, Math.min(1, (ms - segment.from) / (segment.to - segment.from)))
  return segment.x + share * segment.width
}

/** The time at a position in pixels, in milliseconds. */
export function timeAt({ segments }: Strip, x: number): number {
  const segment = segments.findLast((candidate) => candidate.x <= x) ?? segments[0]
  if (!segment) return 0
  const share = Math.max(0, Math.min(1, (x - segment.x) / segment.width))
  return segment.from + share * (segment.to - segment.from)
}
