import { signal, type ReadonlySignal } from '@preact/signals'
import type { FilterTerms } from '../search/filter.ts'

/** What the search field needs to know about the list of payments. */
interface PaymentSearch {
  readonly terms: FilterTerms<never>
  readonly problems: ReadonlySignal<readonly string[]>
  readonly found: ReadonlySignal<number>
}

/** Set when the screen is loaded, because its code is a separate file. */
export const paymentSearch = signal<PaymentSearch | undefined>(undefined)
