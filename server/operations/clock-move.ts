import type { TaxInvoice } from '../domain/invoice.ts'
import type { Instant } from '../domain/time.ts'
import type { Due } from '../store/deliveries.ts'
import type { Work } from '../store/store.ts'

/** A move of the clock that was begun. It takes several units of work where webhooks are to be attempted on the way. */
export interface ClockMove {
  /** Until when time is to pass. */
  readonly until: Instant
  /** What is to be attempted before the clock goes on. */
  readonly before: readonly Due[]
  /** What was issued at once. */
  readonly issued: readonly TaxInvoice[]
  /** Says that the clock has come there. */
  arrive(work: Work): Promise<void>
}
