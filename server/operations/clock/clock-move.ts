import type { Instant } from '../../domain/time/time.ts'
import type { DueDelivery } from '../../store/repositories/deliveries.ts'
import type { TaxInvoice } from '../../domain/accounts/tax-invoice.ts'
import type { UnitOfWork } from '../../store/store.ts'
import type { AttemptEvent } from '../../domain/events/event.ts'

/** A move of the clock that was begun. It takes several units of work where webhooks are to be attempted on the way. */
export interface ClockMove {
  /** Until when time is to pass. */
  readonly until: Instant
  /** What is to be attempted before the clock goes on. */
  readonly dueDeliveries: readonly DueDelivery[]
  /** What was issued at once. */
  readonly issued: readonly TaxInvoice[]
  /** Says that the clock has come there. */
  recordArrival(work: UnitOfWork): Promise<void>
}

/** What has happened by the end of a move of the clock, and what the clock shows then. */
export interface ClockMoveResult {
  readonly time: Pick<UnitOfWork, 'now' | 'clock' | 'systemNow'>
  readonly issued: readonly TaxInvoice[]
  /** The further attempts of webhooks that were made meanwhile, in the order they ended. */
  readonly attempts: readonly AttemptEvent[]
}
