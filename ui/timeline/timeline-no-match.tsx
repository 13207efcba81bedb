import { formatCount, plural } from '../../server/contract/format/values.ts'
import { splitTerms } from '../search/filter.ts'
import { eventTerms, parseFilter } from '../search/filter-terms.ts'
import { log } from '../data/session.ts'
import { bodySearches } from '../data/body-searches.ts'
import { NoMatch } from '../search/no-match.tsx'
import { repairs } from '../search/repairs.ts'
import { filterContext, query } from '../search/view.ts'

/** What the timeline shows if no event matches. */
export const TimelineNoMatch = () => (
  <NoMatch
    query={query.value}
    problems={parseFilter(query.value).problems}
    repairs={repairs.value}
    searched={searchedText()}
  />
)

/** Says where the search has looked. */
function searchedText(): string | undefined {
  const terms = splitTerms(query.value, eventTerms(filterContext.value))
  const { entries, partCount, head, last } = log.journal.value
  const parts = [
    ...(terms.some(({ key }) => key === undefined)
      ? [
          `the address, message, status, note, amount, account, findings and ids of ${plural(entries.length - partCount, 'event')}`,
        ]
      : []),
    ...(bodySearches.value.size > 0
      ? [
          `the stored bodies of all events up to ${formatCount(Math.max(head, last))}, as sent and decoded from forms and JSON`,
        ]
      : []),
  ]
  return parts.length === 0 ? undefined : `Searched: ${parts.join('; ')}.`
}
