import type { CheckedOrder } from '../../contract/checks/check.ts'
import type { AcceptedEncoding } from './webhooks/accepted-encoding.ts'
import type { AppProcess } from './app-process.ts'
import type { CheckRunOptions } from '../app/run/check-run-options.ts'
import type { ReceiverFailure } from '../app/run/failure.ts'
import type { Orders } from './orders/make-orders.ts'
import type { Patience } from '../app/run/patience.ts'
import type { SandboxPort } from '../app/run/sandbox-port.ts'
import type { ShownTexts } from '../app/orders/shown-texts.ts'
import type { OrderWatch } from '../app/state/watch-order.ts'

/** What the cases of one check share. */
export interface CaseContext {
  readonly receiver: string
  readonly sandbox: SandboxPort
  readonly orders: Orders
  readonly watch: OrderWatch | undefined
  readonly acceptedEncoding: AcceptedEncoding
  /** The app, if the check has started it. */
  readonly app: AppProcess | undefined
  readonly options: CheckRunOptions
  readonly patience: Patience
  /** For each reason why good webhooks fail, the first case that has failed for this reason. */
  readonly firstCaseByCause: Map<ReceiverFailure['cause'], string>
  /** The case in which the receiver stopped listening. `undefined` if it responds again. */
  unreachableSince?: string | undefined
  readonly underway: Set<string>
  /** Whether this process itself could connect to the receiver when the check began. */
  readonly isDirectlyReachable: boolean
  /** An order that was paid before cases that send garbage, or that kill the app. */
  paidBefore?: CheckedOrder | undefined
  /** The case since which the app takes no orders, or no payment pays its order. */
  harmedSince?: string | undefined
  paysAnotherSince?: string | undefined
  /** Whether the app reads only JSON, and so not the webhooks of payments at the sandbox, which are forms. */
  readsNoPayments?: boolean
  /** What shows that a payment pays another one of several orders that are placed at once. Looked for once, after a failure that may come from this. */
  paysAnother?: Promise<string | undefined> | undefined
  /** Orders whose state must not change after the end of their cases. */
  readonly remembered: RememberedOrder[]
  /** The links of orders that were paid twice. An app may send back a payment only later. */
  readonly paidTwice: (readonly CheckedOrder[])[]
  /** An order from the beginning of the check. Nothing has happened to it. */
  untouched?: CheckedOrder | undefined
  /** The old order that the check has paid last. If a late payment has failed, it was the payment of this order. */
  paidLate?: CheckedOrder
  /** How old the oldest order was that the check has paid, in milliseconds. */
  oldestPaidMs?: number
  /** The responses of the app to orders and webhooks, and the pages of its customers. */
  readonly shown: ShownTexts
  /** The order that the next cases share. Once it is paid, the app has handled what was sent before. */
  otherOrder?: Promise<void> | undefined
  /** How many good webhooks were sent on their own, and how many of them the app answered with 503. */
  readonly answers: { good: number; postponed: number }
  /** The cases that failed because a webhook got no answer in time. */
  readonly unanswered: string[]
  /** The case that got no answer in time while others ran at the same time. From then on, cases and their repetitions run one after another. */
  readonly crowded: string[]
  readonly cancelledLinks: Set<number>
  /** The ids of cancelled links whose customer has returned. The page may then have offered a new link. */
  readonly revisitedLinks: Set<number>
  readonly ownAccounts: Set<string>
  /** When the check began, according to `performance.now()`. */
  readonly startedAt: number
  readonly startSeq: number
}

export interface RememberedOrder {
  readonly order: CheckedOrder
  readonly state: 'paid-once' | 'unpaid'
  /** Whether the order got one payment only, so that the app has nothing to refund. */
  readonly isPaidOnce: boolean
  /** When its case ended, according to `performance.now()`. */
  readonly endedAt: number
}
