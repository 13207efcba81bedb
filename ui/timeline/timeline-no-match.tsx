import { parseFilter } from '../filter.ts'
import { NoMatch } from './no-match.tsx'
import { repairs } from './repairs.ts'
import { query } from './view.ts'

/** What the timeline shows if no event matches. */
export const TimelineNoMatch = () => (
  <NoMatch
    query={query.value}
    problems={parseFilter(query.value).problems}
    repairs={CAN_ACT ? repairs.value : []}
  />
)
