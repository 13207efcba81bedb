import { computed } from '@preact/signals'
import { formatCount } from '../../server/contract/format/values.ts'
import type { Entry } from '../data/log.ts'
import { log } from '../data/session.ts'
import { navigate } from '../browser/route.ts'
import { Icon } from '../components/icon.tsx'
import { outcomeOf } from '../components/outcome.ts'
import { query, timeRange } from '../search/view.ts'
import { rangeText } from './range-text.ts'

let counts = { failed: 0, waiting: 0, other: 0 }
let counted = 0
let basis: readonly Entry[] | undefined
let basisDropped = 0
let basisToneChanges = 0

/** The number of events with each outcome. Only new entries are counted. */
const outcomes = computed(() => {
  const { entries, dropped, toneChanges } = log.journal.value
  if (entries !== basis || dropped !== basisDropped || toneChanges !== basisToneChanges) {
    basis = entries
    basisDropped = dropped
    basisToneChanges = toneChanges
    counted = 0
    counts = { failed: 0, waiting: 0, other: 0 }
  }
  for (; counted < entries.length; counted++) {
    const { event, row, partOf } = entries[counted]!
    if (partOf === undefined) counts[outcomeOf(event, row)] += 1
  }
  return { ...counts }
})

const filters = [
  ['All', '', undefined],
  ['Failed', 'is:failed', 'failed'],
  ['Webhooks', 'kind:webhook', undefined],
  ['Retried or held', 'is:retried,held', 'waiting'],
] as const

/** The most common filters, and the time range of the list. The strip has the same colors. */
export function QuickFilters() {
  const range = timeRange.value
  return (
    <div class="quick-filters" role="group" aria-label="Quick filters">
      {filters.map(([name, text, outcome]) => {
        const count = outcome === undefined ? 0 : outcomes.value[outcome]
        return (
          <button
            key={name}
            type="button"
            aria-pressed={query.value.trim() === text}
            onClick={() => navigate({ query: text }, 'replace')}
          >
            {name}
            {count > 0 && (
              <span class="number" data-outcome={outcome}>
                {formatCount(count)}
              </span>
            )}
          </button>
        )
      })}
      {range && (
        <button type="button" class="range" onClick={() => navigate({ range: undefined }, 'replace')}>
          {rangeText(range)}
          <Icon name="close" size={14} />
          <span class="visually-hidden">Show all times</span>
        </button>
      )}
    </div>
  )
}
