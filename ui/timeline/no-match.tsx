import { navigate } from '../route.ts'

export function NoMatch({ query }: { readonly query: string }) {
  return (
    <div class="hint">
      <h2>No match</h2>
      <p>
        Nothing matches <code>{query}</code>
      </p>
      <button type="button" onClick={() => navigate({ query: '' }, 'replace')}>
        Clear the filter
      </button>
    </div>
  )
}
