import { formatCount, plural } from '../../server/format/values.ts'
import { parseFilter, splitTerms } from '../filter.ts'
import { eventTerms } from '../filter-terms.ts'
import { log } from '../session.ts'
import { bodySearches } from './body-matches.ts'
import { NoMatch } from './no-match.tsx'
import { repairs } from './repairs.ts'
import { filterContext, query } from './view.ts'

/** What the timeline shows if no event matches. */
export const TimelineNoMatch = () => (
  <NoMatch
    query={query.value}
    problems={parseFilter(query.value).problems}
    repairs={CAN_ACT ? repairs.value : []}
    {...(CAN_ACT && { searched: searchedText() })}
  />
)

/** Says where the search has looked. */
function searchedText(): string | undefined {
  const terms = splitTerms(query.value, eventTerms(filterContext.value))
  const { entries, findingCount, head, last } = log.journal.value
  const parts = [
    ...(terms.some(({ key }) => key === undefined)
      ? [
          `the address, message, status, note, amount, account, findings and ids of ${plural(entries.length - findingCount, 'event')}`,
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
