import { computed, effect, signal } from '@preact/signals'
import { countAfter, indexAfter, indexOf } from '../data/log.ts'
import { navigate, route } from '../browser/route.ts'
import { connection, flush, log } from '../data/session.ts'
import { source } from '../data/source.ts'
import { asksForFindings, createView, type TimeRange } from './create-view.ts'
import { SLICE_MS } from './slices.ts'
import { accountList } from '../data/accounts.ts'
import type { FilterContext } from './filter-terms.ts'
import { bodySearches } from '../data/body-searches.ts'
import { bodyTexts, olderRows } from './body-matches.ts'

export const query = computed(() => (route.value.screen === 'timeline' ? route.value.query : ''))

/** The `seq` of the newest shown event while the view is paused. `undefined` if it is not paused. The log keeps growing. */
export const pausedAt = signal<number | undefined>(undefined)

/** The time range of the list, from the address. */
export const timeRange = computed((): TimeRange | undefined => {
  const { screen, range } = route.value
  const [from, to] = range?.split('..') ?? []
  return screen === 'timeline' && from && to ? { from, to } : undefined
})

/** What a filter needs to know in addition to the events. If accounts change, other events may match. */
export const filterContext = computed((): FilterContext => {
  const names = new Map(accountList.value.map(({ id, name }) => [id, name]))
  return {
    linkOf: (payId) => log.journal.peek().eventIndex.linkOf(payId),
    accountNames: [...names.values()],
    accountNameOf: (id) => names.get(id) ?? '',
    findingsOf: (seq) => log.journal.peek().eventIndex.findingsOf(seq),
    hasBody: source.bodyMatcher(),
  }
})

/** Whether the server still searches for a text of a filter. Always false in a report. */
export const isSearchingBodies = (text: string): boolean =>
  connection.value !== 'report' &&
  bodyTexts(text).some((one) => (bodySearches.value.get(one)?.state ?? 'running') === 'running')

/** The first events of the checks that are unfolded. */
export const unfoldedChecks = signal<ReadonlySet<number>>(new Set())

/** Shows or hides the webhooks of the check that begins with this event. */
export function unfold(seq: number, isShown: boolean): void {
  if (unfoldedChecks.peek().has(seq) === isShown) return
  const others = [...unfoldedChecks.peek()].filter((other) => other !== seq)
  unfoldedChecks.value = new Set(isShown ? [...others, seq] : others)
}

/** Shows or hides the webhooks of the check that the current row belongs to. */
export function unfoldCurrent(isShown: boolean): void {
  const current = view.peek().rows[currentIndex.peek()]
  const check = current && log.journal.peek().eventIndex.checkOf(current.event)
  if (!check) return
  if (!isShown && current.partOf !== undefined) select(check.first)
  unfold(check.first, isShown)
}

const loadedView = createView(log, query, pausedAt, {
  range: timeRange,
  context: filterContext,
  unfolded: unfoldedChecks,
  sliceMs: SLICE_MS,
})

/** The rows of loaded events, after older events that a search in the bodies has found. */
export const view = computed(() => {
  const loaded = loadedView.value
  if (bodySearches.value.size === 0) return loaded
  const { passes } = loaded.reading
  const { from = '', to = '~' } = timeRange.value ?? {}
  const older = olderRows(
    bodySearches.value,
    log.journal.value.entries,
    (entry) => entry.event.at >= from && entry.event.at <= to && passes(entry),
  )
  return older.length === 0 ? loaded : { ...loaded, rows: [...older, ...loaded.rows] }
})

/** The words that are highlighted in the rows. */
export const searchedPhrases = computed(() => view.value.reading.phrases)

export const listsFindings = computed(() => asksForFindings(query.value))

export const missedCount = computed(() => {
  const { entries } = log.journal.value
  if (pausedAt.value === undefined) return 0
  return listsFindings.value
    ? entries.length - indexAfter(entries, pausedAt.value)
    : countAfter(entries, pausedAt.value)
})

/** Whether the list scrolls to each new row. */
export const isFollowing = signal(true)

export const selectedSeq = computed(() => (route.value.screen === 'timeline' ? route.value.id : undefined))

// Stops following while an event is selected, because new rows would scroll it away.
effect(() => {
  if (selectedSeq.value !== undefined) isFollowing.value = false
})

export const selectedIndex = computed(() => indexOf(view.value.rows, selectedSeq.value))

/** The event that was selected before. The next step begins there. */
const previousSeq = signal<number | undefined>(undefined)

/** The selected row, or the row that was selected before, or the newest one. */
export const currentIndex = computed(() => {
  const { rows } = view.value
  const index = selectedIndex.value === -1 ? indexOf(rows, previousSeq.value) : selectedIndex.value
  return index === -1 ? rows.length - 1 : index
})

export function togglePause(): void {
  // Shows events that have arrived and wait.
  flush()
  pausedAt.value = pausedAt.value === undefined ? log.journal.peek().last : undefined
}

export function select(seq: number | undefined): void {
  const how = selectedSeq.peek() === undefined ? 'push' : 'replace'
  if (seq === undefined) document.querySelector<HTMLElement>('[role=grid]')?.focus()
  previousSeq.value = selectedSeq.peek()
  navigate({ screen: 'timeline', id: seq, other: undefined }, how)
}

/**
 * Selects the row that is `steps` away from the selected row, or from the row that was selected before, or from the newest one.
 */
export function step(steps: number): void {
  const { rows } = view.peek()
  const place = selectedIndex.peek() === -1 ? indexOf(rows, previousSeq.peek()) : selectedIndex.peek()
  const from = place === -1 ? rows.length - Math.sign(steps) - 1 : place
  const to = Math.max(0, Math.min(rows.length - 1, from + steps))
  const entry = rows[to]
  if (entry) select(entry.event.seq)
}

export function jumpToNewest(): void {
  if (pausedAt.peek() !== undefined) togglePause()
  isFollowing.value = true
}
