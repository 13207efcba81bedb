import type { Generated } from 'kysely'
import type { Account } from '../domain/accounts/account.ts'
import type { BehaviorName } from '../domain/behaviors/behavior.ts'
import type { Delivery } from '../domain/webhooks/delivery.ts'
import type { EventType } from '../domain/events/event.ts'
import type { Fault } from '../domain/faults/fault.ts'
import type { TaxInvoice } from '../domain/accounts/tax-invoice.ts'
import type { Link } from '../domain/links/link.ts'
import type { Refund } from '../domain/links/refund.ts'
import type { Instant } from '../domain/time/time.ts'
import type { Listener, TunnelAnswer } from '../domain/network/tunnel.ts'

/** The tables. Columns carry the names of the domain; lists and records are JSON text, booleans are 0 and 1. */
export interface Database {
  meta: MetaTable
  account: AccountTable
  link: LinkTable
  refund: RefundTable
  invoice: TaxInvoice
  delivery: DeliveryTable
  event: EventTable
  behavior: BehaviorTable
  formerKey: { apiKey: string }
  block: BlockTable
  beginning: BeginningTable
  fault: FaultTable
  outlet: OutletTable
  pin: { seq: number }
  tunnel: TunnelTable
  capture: CaptureTable
  listener: Listener
  waiting: WaitingTable
}

type Bit = 0 | 1

export interface MetaTable {
  /**
   * `clock`: how it is set. `unbilled`: the first month that may still have fees to bill. `undo`: the epoch that a
   * reset ended. `taken`: in a snapshot, when it was. `swept`: the highest id of a delivery that an account's reset
   * took. `sweptLinks`: the same of a link, in the range that accounts share. `sweeps`: how often events were taken.
   * `faults`: the highest id of a fault that was taken away.
   */
  key: 'epoch' | 'clock' | 'unbilled' | 'undo' | 'taken' | 'swept' | 'sweptLinks' | 'sweeps' | 'faults'
  value: string
}

export interface AccountTable extends Omit<
  Account,
  'callbackUrls' | 'webhookUrls' | 'billing' | 'bankTransfer'
> {
  callbackUrls: string
  webhookUrls: string
  billing: string
  bankTransfer: Bit
}

export interface LinkTable extends Omit<
  Link,
  'recipients' | 'targets' | 'cancellable' | 'isQrLink' | 'bankTransfer'
> {
  recipients: string
  targets: string
  cancellable: Bit
  isQrLink: Bit
  bankTransfer: Bit
}

export interface RefundTable extends Omit<Refund, 'full'> {
  full: Bit
}

export interface DeliveryTable extends Omit<Delivery, 'id' | 'possibleDuplicate' | 'fault' | 'redirect'> {
  id: Generated<number>
  possibleDuplicate: Bit
  fault: string | null
  redirect: string | null
}

/** `data` is the event itself; `exchange` the bytes behind it, read only when someone looks at them. */
export interface EventTable {
  seq: Generated<number>
  at: Instant
  type: EventType
  accountId: string | null
  linkId: number | null
  deliveryId: number | null
  data: string
  exchange: string | null
}

/** `scope` is an account's id, or empty for the whole sandbox. */
export interface BehaviorTable {
  scope: string
  name: BehaviorName
  value: string
}

/** `place` counts the blocks of one account, from 1. */
export interface BlockTable {
  number: number
  accountId: string
  place: number
}

/** `account` is the account's row as it was at first, `invoices` a list of such rows, both as JSON. */
export interface BeginningTable {
  accountId: string
  account: string
  invoices: string
}

export interface FaultTable extends Omit<Fault, 'id' | 'script'> {
  id: Generated<number>
  script: string
}

export interface TunnelTable extends Omit<TunnelAnswer, 'headers'> {
  name: string
  headers: string
}

/** A request that a tunnel captured, whose bytes are those of the event. `lane` is its path below the tunnel's name. */
export interface CaptureTable {
  seq: number
  tunnel: string
  lane: string
  size: number
}

/** A request that a listener has not acknowledged. `connection` counts the first by which it may have been sent. */
export interface WaitingTable {
  tunnel: string
  listener: string
  seq: number
  connection: number
}

/** `from` is an origin that is mapped `to` an address, or the pattern of a host that webhooks may go to. */
export interface OutletTable {
  id: Generated<number>
  from: string
  to: string | null
  /** Given to this start of the sandbox, or while one ran. */
  source: 'start' | 'sandbox'
}
