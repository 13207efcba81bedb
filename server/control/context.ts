import type { WebSocket } from 'ws'
import type { ConnectingListener } from '../domain/network/tunnel.ts'
import type { ListenerKey } from '../store/repositories/listeners.ts'
import type { Store, UnitOfWork } from '../store/store.ts'
import type { Snapshots } from '../store/snapshots/snapshots.ts'
import type { InitialState } from '../operations/state/reset.ts'
import type { BaseUrl } from '../http/base-url.ts'
import type { ResolveOwnPath } from '../domain/network/urls.ts'
import type { EgressVerdict } from '../domain/network/egress-rules.ts'
import type { Webhook } from '../receiver-check/write-webhook.ts'
import type { Attempt } from '../domain/webhooks/delivery.ts'
import type { CheckRunOptions } from '../receiver-check/check-run-options.ts'
import type { CheckReport } from '../contract/check.ts'
import type { ClockMove, ClockMoveResult } from '../operations/clock/clock-move.ts'
import type { RunReport } from '../domain/events/run-report.ts'

/** Those who listen at tunnels. */
export interface Listeners {
  /** Lets one in by a WebSocket of its own. */
  connect(socket: WebSocket, arriving: ConnectingListener): void
  /** Whether something listens at its local address. `null` where that is not known. */
  isUp(key: ListenerKey): boolean | null
  /** Sends away one that was forgotten. */
  disconnect(key: ListenerKey): void
}

/** What the control routes stand on. */
export interface ControlContext {
  readonly store: Store
  readonly snapshots: Snapshots
  readonly listeners: Listeners
  readonly beginning: InitialState
  readonly version: string
  readonly baseUrl: BaseUrl
  readonly ownPath: ResolveOwnPath
  /** How often a stream with nothing to tell gives a sign of life, in milliseconds. */
  readonly streamHeartbeatMs: number
  /** The built report, without data. */
  readonly reportShell: string
  /** Whether a webhook, or one that is forged, would leave for an address by itself. */
  readonly checkEgress: (target: string, isForged?: boolean) => Promise<EgressVerdict>
  /** Why nothing is ever sent to a host, whoever allows it. `null` where its name alone does not say. */
  readonly whyHostIsNeverAllowed: (host: string) => string | null
  /** Posts a webhook that belongs to no payment, where one that is forged may go. */
  readonly probe: (
    to: string,
    webhook: Webhook,
    signal: AbortSignal,
  ) => Promise<Attempt | { readonly heldReason: string }>
  /** Tries a receiver with everything it has to stand. */
  readonly checkReceiver: (receiver: string, run: CheckRunOptions) => Promise<CheckReport>
  /** Whether localhost is a container's own. */
  readonly isInContainer: boolean
  /** Moves the clock, and ends once all that falls due on the way has happened. */
  readonly moveClock: (begin: (work: UnitOfWork) => Promise<ClockMove>) => Promise<ClockMoveResult>
  /** What has been relied on and touched since the start. */
  readonly runReport: () => RunReport
}
