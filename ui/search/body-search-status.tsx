import { formatCount } from '../../server/contract/format/values.ts'
import { log } from '../data/session.ts'
import { bodySearches } from '../data/body-searches.ts'
import './search-bodies.ts'

/** The progress of the search in the bodies, if there is something to say about it. */
export function BodySearchStatus() {
  const { head, last } = log.journal.value
  return (
    <div role="status">
      {[...bodySearches.value].map(([text, { from, to, state }]) => {
        if (state === 'done') return null
        return (
          <p key={text} class="notice">
            {state === 'running' &&
              `Searching bodies for “${text}”${to === 0 ? '…' : `: ${formatCount(to - from + 1)} of ${formatCount(Math.max(head, last))} events`}`}
            {state === 'full' &&
              `The newest ${formatCount(bodySearches.value.get(text)!.found.size)} matches for “${text}” are shown. Add another term to see older ones.`}
            {typeof state === 'object' && `Bodies could not be searched for “${text}”: ${state.failed}`}
          </p>
        )
      })}
    </div>
  )
}
