import { useSignal } from '@preact/signals'
import { formatCount, plural } from '../../server/contract/format/values.ts'
import { log } from '../data/session.ts'
import { paymentCount } from '../payments/payment-counts.ts'
import { paymentSearch } from '../payments/payment-search.ts'
import { navigate, route } from '../browser/route.ts'
import { suggestTerms, type Suggestion } from '../search/filter-suggestions.ts'
import { eventTerms, parseFilter } from '../search/filter-terms.ts'
import { filterContext, isSearchingBodies, listsFindings, missedCount, view } from '../search/view.ts'
import { isNarrow } from '../browser/media.ts'
import { Icon } from '../components/icon.tsx'

const LIST_ID = 'filter-suggestions'
const PROBLEMS_ID = 'filter-problems'

const EXAMPLES = {
  timeline: 'Search or filter: order 7, is:failed, -path:/payment',
  payments: 'Search or filter: order 30, €64, status:paid, webhooks:failed',
}

const setFilter = (query: string) => navigate({ query }, 'replace')
const focusFilter = () => document.getElementById('filter')?.focus()
const focusList = () => document.querySelector<HTMLElement>('[role=grid]')?.focus()

const hasNoMatch = (): boolean => view.value.rows.length === 0 && view.value.query === route.value.query

/** Uses the first proposed search, if the current one has no results. */
async function repair(): Promise<void> {
  const { repairs } = await import('../search/repairs.ts')
  const first = repairs.value?.[0]
  if (first) setFilter(first.query)
}

/** The filter of the screen, with suggestions and the number of matching rows. */
export function FilterField() {
  const { screen, query } = route.value
  const isTimeline = screen === 'timeline'
  const isOpen = useSignal(false)
  const chosen = useSignal(-1)
  const terms = isTimeline ? eventTerms(filterContext.value) : (paymentSearch.value?.terms ?? {})
  const offered = suggestTerms(query, terms)
  const suggestions = isOpen.value ? offered : []
  const problems = isTimeline ? parseFilter(query).problems : (paymentSearch.value?.problems.value ?? [])

  const close = () => {
    isOpen.value = false
    chosen.value = -1
  }
  const apply = (text: string) => {
    setFilter(text)
    chosen.value = -1
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const suggestion = suggestions[chosen.value]
    if (step !== undefined) {
      isOpen.value = true
      const count = offered.length
      // The arrow keys move through the suggestions, and after the last one to "nothing selected".
      chosen.value = ((chosen.value + 1 + step + count + 1) % (count + 1)) - 1
    } else if ((event.key === 'Enter' || event.key === 'Tab') && suggestion) apply(suggestion.text)
    else if (event.key === 'Escape' && suggestions.length > 0) close()
    else if (event.key === 'Escape' && query !== '') apply('')
    else if (event.key === 'Enter' && isTimeline && hasNoMatch()) void repair()
    else if (event.key === 'Escape' || event.key === 'Enter') focusList()
    else return
    event.preventDefault()
  }

  return (
    <search class="filter">
      <div class="combobox">
        <Icon name="search" />
        <input
          id="filter"
          type="text"
          role="combobox"
          aria-label={isTimeline ? 'Filter events' : 'Filter payments'}
          aria-keyshortcuts="/"
          aria-autocomplete="list"
          aria-expanded={suggestions.length > 0}
          aria-controls={LIST_ID}
          aria-describedby={problems.length > 0 ? PROBLEMS_ID : undefined}
          aria-activedescendant={suggestions[chosen.value] && `${LIST_ID}-${chosen.value}`}
          placeholder={isNarrow.value ? 'Search or filter' : EXAMPLES[isTimeline ? 'timeline' : 'payments']}
          autocomplete="off"
          spellcheck={false}
          value={query}
          onFocus={() => (isOpen.value = true)}
          onBlur={close}
          onInput={({ currentTarget }) => {
            isOpen.value = true
            apply(currentTarget.value)
          }}
          onKeyDown={onKeyDown}
        />
        <Count isTimeline={isTimeline} />
        {query === '' ? <kbd aria-hidden="true">/</kbd> : <ClearButton onClear={() => apply('')} />}
        <Suggestions suggestions={suggestions} chosen={chosen.value} onChoose={apply} />
        {problems.length > 0 && suggestions.length === 0 && (
          // If there are no rows, the list also names the problems.
          <p id={PROBLEMS_ID} class={shownRows() > 0 ? 'suggestions error' : 'visually-hidden'} role="status">
            {problems.join(' ')}
          </p>
        )}
      </div>
    </search>
  )
}

interface SuggestionsProps {
  readonly suggestions: readonly Suggestion[]
  /** The index of the selected suggestion, or -1 if none is selected. */
  readonly chosen: number
  readonly onChoose: (text: string) => void
}

function Suggestions({ suggestions, chosen, onChoose }: SuggestionsProps) {
  return (
    <div
      id={LIST_ID}
      class="suggestions"
      role="listbox"
      aria-label="Suggestions"
      hidden={suggestions.length === 0}
    >
      {suggestions.map(({ text, term, example, meaning }, index) => (
        <div
          key={index}
          id={`${LIST_ID}-${index}`}
          role="option"
          aria-selected={index === chosen}
          // Not `onClick`, which would come after the field has lost the focus.
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(text)
          }}
        >
          <code>
            <b>{term}</b>
            {example?.slice(term.length)}
          </code>{' '}
          <span class="muted">{meaning}</span>
        </div>
      ))}
    </div>
  )
}

function ClearButton({ onClear }: { readonly onClear: () => void }) {
  return (
    <button
      type="button"
      class="clear"
      aria-label="Clear the search"
      onClick={() => {
        onClear()
        focusFilter()
      }}
    >
      <Icon name="close" size={14} />
    </button>
  )
}

const shownRows = (): number =>
  route.value.screen === 'timeline'
    ? view.value.rows.length
    : (paymentSearch.value?.found.value ?? paymentCount.value)

function Count({ isTimeline }: { readonly isTimeline: boolean }) {
  const shown = shownRows()
  const { entries, partCount } = log.journal.value
  const eventCount = listsFindings.value ? entries.length : entries.length - partCount
  // The webhooks of an unfolded check have rows, but do not count.
  const total = Math.max(shown, isTimeline ? eventCount - missedCount.value : paymentCount.value)
  return (
    <output class="count">
      {shown === 0 && isSearchingBodies(route.value.query)
        ? 'searching…'
        : shown === total
          ? plural(total, isTimeline ? 'event' : 'payment')
          : `${formatCount(shown)} of ${formatCount(total)}`}
    </output>
  )
}
