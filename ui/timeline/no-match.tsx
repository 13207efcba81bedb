import { navigate } from '../route.ts'

interface Props {
  readonly query: string
  /** What in it was not understood. */
  readonly problems?: readonly string[]
}

export function NoMatch({ query, problems = [] }: Props) {
  return (
    <div class="hint">
      <h2>No match</h2>
      <p>
        Nothing matches <code>{query}</code>
      </p>
      {problems.map((problem) => (
        <p key={problem} class="wrong">
          {problem}
        </p>
      ))}
      <button type="button" onClick={() => navigate({ query: '' }, 'replace')}>
        Clear the filter
      </button>
    </div>
  )
}
