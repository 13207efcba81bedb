import type { WebSocket } from 'ws'
import type { CheckReport } from '../check/check-result.ts'
import type { CheckRun } from '../check/check-run.ts'
import type { Webhook } from '../check/write-webhook.ts'
import type { Attempt } from '../domain/delivery.ts'
import type { BaseUrl } from '../http/base-url.ts'
import type { OwnPath } from '../http/own-path.ts'
import type { Attempted } from '../domain/events.ts'
import type { Verdict } from '../domain/outlets.ts'
import type { Arriving } from '../domain/tunnel.ts'
import type { RunReport } from '../domain/run-report.ts'
import type { TaxInvoice } from '../domain/invoice.ts'
import type { ClockMove } from '../operations/clock-move.ts'
import type { Beginning } from '../operations/reset.ts'
import type { ListenerKey } from '../store/listeners.ts'
import type { Snapshots } from '../store/snapshots.ts'
import type { Store, Work } from '../store/store.ts'

/** What has happened by the end of a move of the clock, and what the clock shows then. */
export interface Moved {
  readonly time: Pick<Work, 'now' | 'clock' | 'machine'>
  readonly issued: readonly TaxInvoice[]
  /** The further attempts of webhooks that were made meanwhile, in the order they ended. */
  readonly attempts: readonly Attempted[]
}

/** Those who listen at tunnels. */
export interface Listeners {
  /** Lets one in by a WebSocket of its own. */
  take(socket: WebSocket, arriving: Arriving): void
  /** Whether something listens at its local address. `null` where that is not known. */
  isUp(key: ListenerKey): boolean | null
  /** Sends away one that was forgotten. */
  dismiss(key: ListenerKey): void
}

/** What the control routes stand on. */
export interface ControlContext {
  readonly store: Store
  readonly snapshots: Snapshots
  readonly listeners: Listeners
  readonly beginning: Beginning
  readonly version: string
  readonly baseUrl: BaseUrl
  readonly ownPath: OwnPath
  /** How often a stream with nothing to tell gives a sign of life, in milliseconds. */
  readonly aliveEveryMs: number
  /** The built report, without data. */
  readonly reportShell: string
  /** Whether a webhook, or one that is forged, would leave for an address by itself. */
  readonly judge: (target: string, isForged?: boolean) => Promise<Verdict>
  /** Why nothing is ever sent to a host, whoever allows it. `null` where its name alone does not say. */
  readonly objectionToHost: (host: string) => string | null
  /** Posts a webhook that belongs to no payment, where one that is forged may go. */
  readonly probe: (
    to: string,
    webhook: Webhook,
    signal: AbortSignal,
  ) => Promise<Attempt | { readonly heldBecause: string }>
  /** Tries a receiver with everything it has to stand. */
  readonly checkReceiver: (receiver: string, run: CheckRun) => Promise<CheckReport>
  /** Whether localhost is a container's own. */
  readonly isInContainer: boolean
  /** Moves the clock, and ends once all that falls due on the way has happened. */
  readonly moveClock: (begin: (work: Work) => Promise<ClockMove>) => Promise<Moved>
  /** What has been relied on and touched since the start. */
  readonly run: () => RunReport
}
