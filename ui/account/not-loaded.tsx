import { reload } from '../accounts.ts'
import type { Loaded } from '../resource.ts'

/** What stands in the place of something that is on its way, or did not come. */
export function NotLoaded({ of }: { readonly of: Exclude<Loaded<unknown>, { readonly state: 'loaded' }> }) {
  if (of.state === 'loading') return <p class="muted late">Loading…</p>
  return (
    <div class="save" role="alert">
      <p class="wrong">{of.reason}</p>
      <button type="button" onClick={reload}>
        Try again
      </button>
    </div>
  )
}
