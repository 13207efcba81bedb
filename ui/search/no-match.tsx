import { plural } from '../../server/contract/format/values.ts'
import { navigate } from '../browser/route.ts'
import type { Repair } from './repairs.ts'

interface Props {
  readonly query: string
  /** The kind of items in the list. */
  readonly what?: 'event' | 'payment'
  readonly problems: readonly string[]
  /** Searches that find something. `undefined` while their results are counted. */
  readonly repairs: readonly Repair[] | undefined
  readonly searched?: string | undefined
}

const applyRepair = ({ query, isForAllTime }: Repair): void =>
  navigate({ query, ...(isForAllTime && { range: undefined }) }, 'replace')

/** Says that nothing matches, and proposes searches with results. */
export function NoMatch({ query, what = 'event', problems, repairs, searched }: Props) {
  return (
    <div class="hint no-match">
      <h2>{query === '' ? `No ${what} in this time` : `No ${what} contains “${query}”`}</h2>
      {problems.map((problem) => (
        <p key={problem} class="error">
          {problem}
        </p>
      ))}
      {searched !== undefined && <p class="muted">{searched}</p>}
      {repairs !== undefined && repairs.length > 0 && (
        <>
          <p class="muted">Searches with results:</p>
          <ul>
            {repairs.map((repair, index) => (
              <li key={`${repair.query} ${repair.isForAllTime}`}>
                <button type="button" class={index === 0 ? 'first' : ''} onClick={() => applyRepair(repair)}>
                  <code>{repair.query || 'all events'}</code>
                  <span class="muted">{repair.meaning}</span>
                  <span>{repair.count === undefined ? 'asks the server' : plural(repair.count, what)}</span>
                </button>
              </li>
            ))}
          </ul>
          <p class="muted keys">
            <kbd>↵</kbd> uses the first suggestion. <kbd>Esc</kbd> clears the search.
          </p>
        </>
      )}
      {repairs?.length === 0 && (
        <button type="button" onClick={() => navigate({ query: '', range: undefined }, 'replace')}>
          Clear the search
        </button>
      )}
    </div>
  )
}
