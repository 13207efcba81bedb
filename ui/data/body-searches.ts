import { signal } from '@preact/signals'
import type { EventView } from '../../server/contract/views.ts'

/** The search for a text in the bodies, which runs on the server. */
export interface BodySearch {
  readonly found: ReadonlyMap<number, EventView>
  /** The range of events that were searched. Both are 0 before the first answer. */
  readonly from: number
  readonly to: number
  /** `full`: the search has found as many events as the page can show. */
  readonly state: 'running' | 'done' | 'full' | { readonly failed: string }
}

/** The searches, by their text in lower case. A report has none, because it searches its own bodies. */
export const bodySearches = signal<ReadonlyMap<string, BodySearch>>(new Map())
