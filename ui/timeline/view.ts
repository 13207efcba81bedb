import { computed, effect, signal } from '@preact/signals'
import { indexAfter, indexOf } from '../log.ts'
import { navigate, route } from '../route.ts'
import { log } from '../session.ts'
import { createView } from './create-view.ts'

const query = computed(() => (route.value.screen === 'timeline' ? route.value.query : ''))

/** The `seq` at which the view is held. The log goes on meanwhile. */
export const pausedAt = signal<number | undefined>(undefined)

export const view = createView(log, query, pausedAt)

export const missedCount = computed(() => {
  const { entries } = log.journal.value
  return pausedAt.value === undefined ? 0 : entries.length - indexAfter(entries, pausedAt.value)
})

/** Whether the newest row is kept in sight. */
export const following = signal(true)

export const selectedSeq = computed(() => (route.value.screen === 'timeline' ? route.value.id : undefined))

// Whoever reads an event, however they came to it, is not to be carried away.
effect(() => {
  if (selectedSeq.value !== undefined) following.value = false
})

export const selectedIndex = computed(() => indexOf(view.value.rows, selectedSeq.value))

export function togglePause(): void {
  pausedAt.value = pausedAt.value === undefined ? log.journal.peek().last : undefined
}

export function select(seq: number | undefined): void {
  const how = selectedSeq.peek() === undefined ? 'push' : 'replace'
  if (seq === undefined) document.querySelector<HTMLElement>('[role=grid]')?.focus()
  left = selectedSeq.peek()
  navigate({ screen: 'timeline', id: seq }, how)
}

/** The event that was read before, from where the next step goes on. */
let left: number | undefined

/** Selects the row `steps` away from the selected one, or from the one before; the newest where there is none. */
export function step(steps: number): void {
  const { rows } = view.peek()
  const place = selectedIndex.peek() === -1 ? indexOf(rows, left) : selectedIndex.peek()
  const from = place === -1 ? rows.length - Math.sign(steps) - 1 : place
  const to = Math.max(0, Math.min(rows.length - 1, from + steps))
  const entry = rows[to]
  if (entry) select(entry.event.seq)
}

export function jumpToNewest(): void {
  if (pausedAt.peek() !== undefined) togglePause()
  following.value = true
}
