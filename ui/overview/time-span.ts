import { computed, signal } from '@preact/signals'
import { now } from '../data/clock.ts'

export const spans = [
  ['all', 'All'],
  ['today', 'Today'],
  ['hour', 'Last hour'],
] as const

export const span = signal<(typeof spans)[number][0]>('all')

/** The beginning of the time range of the overview. It changes only once a minute. */
export const since = computed((): string => {
  if (span.value === 'all') return ''
  const minute = Math.floor(now.value / 60_000) * 60_000
  const start = new Date(minute - (span.value === 'hour' ? 3_600_000 : 0))
  if (span.value === 'today') start.setHours(0, 0, 0, 0)
  return start.toISOString()
})
