import type { Generated } from 'kysely'
import type { Account } from '../domain/accounts/account.ts'
import type { BehaviorName } from '../domain/behaviors/open-points.ts'
import type { Delivery } from '../domain/webhooks/delivery.ts'
import type { EventType } from '../domain/events/event.ts'
import type { Fault } from '../domain/faults/fault.ts'
import type { TaxInvoice } from '../domain/accounts/tax-invoice.ts'
import type { Link } from '../domain/links/link.ts'
import type { Refund } from '../domain/links/refund.ts'
import type { Instant } from '../domain/time/berlin-time.ts'
import type { NotificationPlan } from '../domain/webhooks/notification-plan.ts'
import type { Listener, TunnelAnswer } from '../domain/network/tunnel.ts'
import type { RowOf } from './row-codec.ts'

/**
 * The rows of all tables. A table of domain objects has their fields as columns, so a new field needs no change here. The code
 * compiles only if the field has a column in `tables.ts`, and a schema in `table-schemas.ts`, which validates uploaded snapshots.
 */
export interface Database {
  meta: MetaTable
  account: RowOf<Account>
  link: RowOf<Link>
  refund: RowOf<Refund>
  invoice: TaxInvoice
  delivery: WithGenerated<RowOf<Delivery>, 'id'>
  plan: RowOf<NotificationPlan>
  event: EventTable
  behavior: BehaviorTable
  formerKey: { apiKey: string }
  idBlock: IdBlockTable
  accountOriginal: AccountOriginalTable
  fault: WithGenerated<RowOf<Fault>, 'id'>
  egressRule: EgressRuleTable
  tunnel: RowOf<TunnelAnswer> & { name: string }
  capturedRequest: CapturedRequestTable
  listener: Listener
  pendingRequest: PendingRequestTable
}

type WithGenerated<Row, Name extends keyof Row> = Omit<Row, Name> & {
  [Key in Name]: Generated<Row[Key]>
}

export interface MetaTable {
  /**
   * - `epoch`: the current epoch of the journal.
   * - `clock`: the setting of the clock, as JSON.
   * - `unbilled`: the first month that may have fees without an invoice.
   * - `undo`: the epoch that the last reset ended.
   * - `lastDeletedDelivery`, `lastDeletedLink`, `lastDeletedFault`: the highest id that was deleted. It is not reused.
   *   `lastDeletedLink` is about the range of ids that accounts share.
   * - `deletions`: how often events of an account were deleted in this epoch.
   */
  key:
    | 'epoch'
    | 'clock'
    | 'unbilled'
    | 'undo'
    | 'lastDeletedDelivery'
    | 'lastDeletedLink'
    | 'lastDeletedFault'
    | 'deletions'
  value: string
}

/**
 * `data` is the event as JSON. `exchange` is its request and response as JSON, without their bodies. A body is text if it is
 * UTF-8, otherwise bytes. These three columns are read only on demand.
 */
export interface EventTable {
  seq: number
  at: Instant
  type: EventType
  accountId: string | null
  linkId: number | null
  deliveryId: number | null
  data: string
  exchange: string | null
  requestBody: string | Uint8Array | null
  responseBody: string | Uint8Array | null
}

/** `scope` is the id of an account, or one of the two scopes of `repositories/behaviors.ts`. */
interface BehaviorTable {
  scope: string
  name: BehaviorName
  value: string
}

/** `position` counts the blocks of one account, from 1. */
interface IdBlockTable {
  number: number
  accountId: string
  position: number
}

/** `account` is the row of the account when it was created, `invoices` a list of rows. Both are JSON. */
interface AccountOriginalTable {
  accountId: string
  account: string
  invoices: string
}

/** A request that a tunnel has captured. The event with this `seq` has its bytes. `path` is the path below the tunnel. */
export interface CapturedRequestTable {
  seq: number
  tunnel: string
  path: string
  size: number
}

/**
 * A request that a listener has not answered. `connection` is the number of the listener's first connection on which it may have
 * been sent. On a later connection, it is marked as a possible duplicate.
 */
export interface PendingRequestTable {
  tunnel: string
  listener: string
  seq: number
  connection: number
}

/** A map from the origin `from` to the address `to`. If `to` is missing, an allowed host with the pattern `from`. */
export interface EgressRuleTable {
  id: Generated<number>
  from: string
  to: string | null
  /** `start` if the rule was passed at startup, `sandbox` if it was set while a sandbox ran. */
  source: 'start' | 'sandbox'
}
