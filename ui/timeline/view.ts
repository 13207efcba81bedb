import { computed, effect, signal } from '@preact/signals'
import { indexAfter, indexOf } from '../log.ts'
import { navigate, route } from '../route.ts'
import { log } from '../session.ts'
import { createView } from './create-view.ts'

const query = computed(() => (route.value.screen === 'timeline' ? route.value.query : ''))

/** The `seq` at which the view is paused, `undefined` while it is not. The log keeps growing. */
export const pausedAt = signal<number | undefined>(undefined)

export const view = createView(log, query, pausedAt)

export const missedCount = computed(() => {
  const { entries } = log.journal.value
  return pausedAt.value === undefined ? 0 : entries.length - indexAfter(entries, pausedAt.value)
})

/** Whether the list scrolls to each new row. */
export const isFollowing = signal(true)

export const selectedSeq = computed(() => (route.value.screen === 'timeline' ? route.value.id : undefined))

// While an event is selected, new rows must not scroll it away.
effect(() => {
  if (selectedSeq.value !== undefined) isFollowing.value = false
})

export const selectedIndex = computed(() => indexOf(view.value.rows, selectedSeq.value))

export function togglePause(): void {
  pausedAt.value = pausedAt.value === undefined ? log.journal.peek().last : undefined
}

export function select(seq: number | undefined): void {
  const how = selectedSeq.peek() === undefined ? 'push' : 'replace'
  if (seq === undefined) document.querySelector<HTMLElement>('[role=grid]')?.focus()
  previousSeq = selectedSeq.peek()
  navigate({ screen: 'timeline', id: seq }, how)
}

/** The previously selected event. The next step starts there. */
let previousSeq: number | undefined

/** Selects the row `steps` away from the selected row, or from the previously selected one, or else the newest. */
export function step(steps: number): void {
  const { rows } = view.peek()
  const place = selectedIndex.peek() === -1 ? indexOf(rows, previousSeq) : selectedIndex.peek()
  const from = place === -1 ? rows.length - Math.sign(steps) - 1 : place
  const to = Math.max(0, Math.min(rows.length - 1, from + steps))
  const entry = rows[to]
  if (entry) select(entry.event.seq)
}

export function jumpToNewest(): void {
  if (pausedAt.peek() !== undefined) togglePause()
  isFollowing.value = true
}
