import type { CheckedOrder } from '../../contract/checks/check.ts'
import type { SandboxPort } from '../app/run/sandbox-port.ts'

/** What a caller check needs from a sandbox. The client implements this with the control API. */
export interface CallerSandbox extends Pick<
  SandboxPort,
  'newestSeq' | 'waitForLink' | 'seenAfter' | 'refundCalls' | 'pay' | 'keyFinder' | 'refusalAfter'
> {
  /** Why the egress policy forbids customers or webhooks to use an address. `null` if it is allowed. */
  heldReason(url: string, by?: 'webhook' | 'visit'): Promise<string | null>
  link(payLink: string): Promise<CheckedOrder>
  /** Cancels a link as a customer who then closes the browser. Returns false if it cannot be cancelled. */
  cancel(link: Pick<CheckedOrder, 'id'>): Promise<boolean>
  /** How many faults apply to the calls of an account. */
  countFaults(account: string): Promise<number>
  isClockRunning(): Promise<boolean>
  /** Adds a fault for the calls of an account. Returns a function that removes it. */
  addFault(account: string, script: readonly string[], times: number | 'always'): Promise<() => Promise<void>>
}
