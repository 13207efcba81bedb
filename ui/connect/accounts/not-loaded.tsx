import { reload } from '../../data/accounts.ts'
import type { ResourceState } from '../../data/resource.ts'

/** Shown instead of content that is still loading, or that could not be loaded. */
export function NotLoaded({
  of,
}: {
  readonly of: Exclude<ResourceState<unknown>, { readonly state: 'loaded' }>
}) {
  if (of.state === 'loading') return <p class="muted delayed">Loading…</p>
  return (
    <div class="button-row" role="alert">
      <p class="error">{of.reason}</p>
      <button type="button" onClick={reload}>
        Try again
      </button>
    </div>
  )
}
