import type { BaseUrl } from '../http/base-url.ts'
import type { Seed } from '../operations/reset.ts'
import type { Snapshots } from '../store/snapshots.ts'
import type { Store } from '../store/store.ts'

/** What the control routes stand on. */
export interface ControlContext {
  readonly store: Store
  readonly snapshots: Snapshots
  readonly seed: Seed
  readonly version: string
  readonly baseUrl: BaseUrl
  /** Hosts that webhooks may go to, beyond this machine and private networks. */
  readonly allowedHosts: readonly string[]
  /** How often a stream with nothing to tell gives a sign of life, in milliseconds. */
  readonly aliveEveryMs: number
  /** The built report, without data. */
  readonly reportShell: string
  /** Why a webhook would not leave for an address by itself; `null` where it would. */
  readonly heldBecause: (target: string) => Promise<string | null>
}
