import type { Cents } from '../money/cents.ts'
import type { Instant } from '../time/berlin-time.ts'

export type RefundState = 'pending' | 'approved' | 'rejected'

/** The only refund request of a payment, full or partial. An operator approves or rejects it. */
export interface Refund {
  readonly payId: number
  readonly linkId: number
  readonly accountId: string
  readonly amount: Cents
  readonly full: boolean
  readonly state: RefundState
  readonly requestedAt: Instant
  readonly decidedAt: Instant | null
}
