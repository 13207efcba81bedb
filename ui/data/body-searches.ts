import { signal } from '@preact/signals'
import type { EventView } from '../../server/contract/views.ts'

/** The search for one text in the bodies, which the server does. */
export interface BodySearch {
  readonly found: ReadonlyMap<number, EventView>
  /** The events that were searched so far. Both are 0 before the first answer. */
  readonly from: number
  readonly to: number
  /** `full` means that the search has found as many events as the page shows. */
  readonly state: 'running' | 'done' | 'full' | { readonly failed: string }
}

/** The searches, by their text in lower case. A report has none, because it searches its own bodies. */
export const bodySearches = signal<ReadonlyMap<string, BodySearch>>(new Map())
