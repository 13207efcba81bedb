import type { CalibrationFile } from '../contract/schemas/calibration.ts'
import type { WebSocket } from 'ws'
import type { ConnectingListener } from '../domain/network/tunnel.ts'
import type { ListenerKey } from '../store/repositories/listeners.ts'
import type { Follower } from '../store/engine.ts'
import type { Store, UnitOfWork } from '../store/store.ts'
import type { Snapshots } from '../store/snapshots/snapshots.ts'
import type { InitialState } from '../service/operations/state/reset.ts'
import type { BaseUrl } from '../platform/http/base-url.ts'
import type { Upstream } from '../domain/api/upstream.ts'
import type { GuideSearch, GuideSearchOptions } from '../domain/text/guide-search.ts'
import type { ResolveOwnPath } from '../domain/network/urls.ts'
import type { EgressVerdict } from '../domain/network/egress-rules.ts'
import type { Post } from '../service/egress/post.ts'
import type { WrittenWebhook } from '../verify/app/webhooks/write-webhook.ts'
import type { Attempt } from '../domain/webhooks/delivery.ts'
import type { CheckRunOptions } from '../verify/app/run/check-run-options.ts'
import type { CallerRunOptions } from '../verify/caller-check/caller-run-options.ts'
import type { CallerCheckReport } from '../contract/checks/caller-check.ts'
import type { CheckReport } from '../contract/checks/check.ts'
import type { ClockMove, ClockMoveResult } from '../service/operations/clock/clock-move.ts'
import type { ImportView } from '../contract/views.ts'
import type { PlanRunner } from '../service/webhooks/plan-runner.ts'
import type { RunReport } from '../domain/events/run-report.ts'

/** The listeners of all tunnels. */
interface Listeners {
  connect(socket: WebSocket, listener: ConnectingListener): void
  /** Whether an app listens at the listener's local address. `null` if this is not known. */
  isUp(key: ListenerKey): boolean | null
  /** Closes the connection of a listener that was deleted. */
  disconnect(key: ListenerKey): void
}

/** This process, which leads the replicas that share the database. */
export interface Replica {
  readonly url: string
  followers(): Promise<readonly Follower[]>
}

/**
 * What the routes of the control API need from the rest of the sandbox.
 */
export interface ControlContext {
  readonly store: Store
  readonly snapshots: Snapshots
  readonly listeners: Listeners
  readonly initialState: InitialState
  /** The result of `calibrate`, which compares the sandbox with the real service. */
  readonly calibration: CalibrationFile | undefined
  readonly version: string
  /** The name and version of the database engine. */
  readonly database: string
  /** Set if several processes share the database. */
  readonly replica: Replica | undefined
  /** The real service that calls are forwarded to. If undefined, the sandbox answers them itself. */
  readonly upstream: Upstream | undefined
  readonly baseUrl: BaseUrl
  readonly ownPath: ResolveOwnPath
  /** How often an idle stream sends `alive`, in milliseconds. */
  readonly streamHeartbeatMs: number
  /** The file of the built report without its data. */
  readonly reportShell: string
  /** Decides whether a webhook to an address is sent or held. Forged webhooks may go to fewer targets. */
  readonly checkEgress: (target: string, isForged?: boolean) => Promise<EgressVerdict>
  /** Why a host can never be allowed. `null` if there is no reason. */
  readonly whyHostIsNeverAllowed: (host: string) => string | null
  /** Posts a webhook that belongs to no payment, or opens a page. The egress policy for forged webhooks applies. */
  readonly probe: (
    to: string,
    webhook: WrittenWebhook & Pick<Parameters<Post>[2], 'method' | 'headers' | 'beforeLastByte'>,
    signal: AbortSignal,
  ) => Promise<Attempt | { readonly heldReason: string }>
  /** Runs all cases of the receiver check. */
  readonly checkReceiver: (receiver: string, run: CheckRunOptions) => Promise<CheckReport>
  /** Runs all cases of the caller check. */
  readonly checkCaller: (orderUrl: string, run: CallerRunOptions) => Promise<CallerCheckReport>
  readonly planRunner: PlanRunner
  /** Plays the sample story with the shop of an account. Returns the number of links, or why the story stopped. */
  readonly playSampleStory: (accountId: string) => Promise<number | { readonly stoppedBy: string }>
  /** Records the calls of an HTTP Archive until the signal aborts. Throws a `UsageError` if the text is not an HTTP Archive. */
  readonly importCalls: (
    har: string,
    options: { readonly name: string; readonly origin: string | undefined; readonly signal: AbortSignal },
  ) => Promise<ImportView>
  /** Whether the sandbox runs in a container, where localhost is not the host machine. */
  readonly isInContainer: boolean
  /** Moves the clock, and resolves when everything that falls due in between is done. */
  readonly moveClock: (begin: (work: UnitOfWork) => Promise<ClockMove>) => Promise<ClockMoveResult>
  /** Finds the sections of the guides that contain all words of a text. */
  readonly searchGuides: (text: string, options: GuideSearchOptions) => Promise<GuideSearch>
  /** What calls have depended on or caused since the sandbox started: behaviors and API errors. */
  readonly runReport: () => RunReport
}
