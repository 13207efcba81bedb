import { computed } from '@preact/signals'
import { formatCount } from '../../server/contract/format/values.ts'
import type { Entry } from '../data/log.ts'
import { log } from '../data/session.ts'
import { navigate } from '../browser/route.ts'
import { outcomeOf } from '../components/outcome.ts'
import { query } from '../search/view.ts'

let failed = 0
let counted = 0
let basis: readonly Entry[] | undefined
let basisDropped = 0

/** Only new entries are counted. */
const counts = computed(() => {
  const { entries, dropped, eventIndex } = log.journal.value
  if (entries !== basis || dropped !== basisDropped) {
    basis = entries
    basisDropped = dropped
    failed = counted = 0
  }
  for (; counted < entries.length; counted++) {
    const { event, row } = entries[counted]!
    if (event.type !== 'diagnostic.found' && outcomeOf(event, row) === 'failed') failed += 1
  }
  return { 'is:failed': failed, 'is:held': eventIndex.held.size }
})

const filters = [
  ['All', ''],
  ['Failed', 'is:failed'],
  ['Held', 'is:held'],
  ['Webhooks', 'kind:webhook'],
] as const

/** The most common filters, instead of the strip on a phone. */
export function QuickFilters() {
  return (
    <div class="quick-filters" role="group" aria-label="Quick filters">
      {filters.map(([name, text]) => {
        const count = text === 'is:failed' || text === 'is:held' ? counts.value[text] : 0
        return (
          <button
            key={name}
            type="button"
            aria-pressed={query.value.trim() === text}
            onClick={() => navigate({ query: text }, 'replace')}
          >
            {name}
            {count > 0 && (
              <span class="number" data-tone={text === 'is:failed' ? 'err' : 'warn'}>
                {formatCount(count)}
              </span>
            )}
          </button>
        )
      })}
    </div>
  )
}
