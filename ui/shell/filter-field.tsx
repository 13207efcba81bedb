import { formatCount, plural } from '../format.ts'
import { log } from '../session.ts'
import { paymentCount, paymentList } from '../payments/payment-list.ts'
import { navigate, route } from '../route.ts'
import { heldCount, view } from '../timeline/view.ts'

/** The filter of the screen, with how much of it passes. */
export function FilterField() {
  const { screen, query } = route.value
  const isTimeline = screen === 'timeline'
  const shown = isTimeline ? view.value.rows.length : paymentList.value.length
  const total = isTimeline ? log.journal.value.entries.length - heldCount.value : paymentCount.value

  return (
    <search class="filter">
      <input
        id="filter"
        type="search"
        aria-label={isTimeline ? 'Filter events' : 'Filter payments'}
        aria-keyshortcuts="/"
        placeholder={isTimeline ? 'Filter: kind:webhook status:>=400 -path:/payment' : 'Filter: order 7'}
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={({ currentTarget }) => navigate({ query: currentTarget.value }, 'replace')}
        onKeyDown={(event) => {
          if (event.key === 'Escape' || event.key === 'Enter') {
            event.preventDefault()
            document.querySelector<HTMLElement>('[role=grid]')?.focus()
          }
        }}
      />
      <output class="count">
        {shown === total
          ? plural(total, isTimeline ? 'event' : 'payment')
          : `${formatCount(shown)} of ${formatCount(total)}`}
      </output>
    </search>
  )
}
