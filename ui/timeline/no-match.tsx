import { navigate } from '../route.ts'

interface Props {
  readonly query: string
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
        <p key={problem} class="error">
          {problem}
        </p>
      ))}
      <button type="button" onClick={() => navigate({ query: '' }, 'replace')}>
        Clear the filter
      </button>
    </div>
  )
}
