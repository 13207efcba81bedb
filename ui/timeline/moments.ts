import { computed, signal } from '@preact/signals'
import { log } from '../data/session.ts'
import type { Entry } from '../data/log.ts'
import type { Moments } from './build-strip.ts'
import { createView } from '../search/create-view.ts'
import { SLICE_MS } from '../search/slices.ts'
import { outcomeOf, type EventOutcome } from '../components/outcome.ts'
import { filterContext, pausedAt, query, timeRange, unfoldedChecks, view } from '../search/view.ts'

/** The rows without the limits of the time range. */
const unlimited = createView(log, query, pausedAt, {
  range: signal(undefined),
  context: filterContext,
  unfolded: unfoldedChecks,
  sliceMs: SLICE_MS,
})

/** All rows without a filter, which the strip shows if nothing matches. */
const everything = createView(log, signal(''), pausedAt, {
  range: signal(undefined),
  context: filterContext,
  unfolded: unfoldedChecks,
})

let times: number[] = []
let outcomes: EventOutcome[] = []
let basis: readonly Entry[] | undefined
let basisRemoved = 0
let basisToneChanges = 0

/** Times and outcomes of the rows that the strip shows. Only new rows are read. */
export const moments = computed((): Moments => {
  const matching = timeRange.value ? unlimited.value : view.value
  const { rows, removed } = matching.rows.length === 0 ? everything.value : matching
  const { toneChanges } = log.journal.value
  if (
    rows !== basis ||
    removed !== basisRemoved ||
    toneChanges !== basisToneChanges ||
    times.length > rows.length
  ) {
    times = []
    outcomes = []
    basis = rows
    basisRemoved = removed
    basisToneChanges = toneChanges
  }
  for (let index = times.length; index < rows.length; index++) {
    const { event, row, atMs } = rows[index]!
    times.push(atMs)
    outcomes.push(outcomeOf(event, row))
  }
  return { times, outcomes }
})
