import type { Instant } from '../../../domain/time/berlin-time.ts'
import type { DueDelivery } from '../../../store/repositories/deliveries.ts'
import type { TaxInvoice } from '../../../domain/accounts/tax-invoice.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import type { AttemptEvent } from '../../../domain/events/event.ts'

/** A move of the clock that has begun. It needs several units of work if webhooks must be attempted in between. */
export interface ClockMove {
  /** The time at the end of the move. */
  readonly until: Instant
  /** The deliveries to attempt before the clock moves further. */
  readonly dueDeliveries: readonly DueDelivery[]
  /** The invoices that were issued so far. */
  readonly issued: readonly TaxInvoice[]
  /** Records that the move has ended. */
  recordArrival(work: UnitOfWork): Promise<void>
}

/** The result of a move, and the time after it. */
export interface ClockMoveResult {
  readonly time: Pick<UnitOfWork, 'now' | 'clock' | 'systemNow'>
  readonly issued: readonly TaxInvoice[]
  /** The attempts that were made during the move, in the sequence in which they ended. */
  readonly attempts: readonly AttemptEvent[]
}
