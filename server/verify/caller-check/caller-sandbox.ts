import type { CheckedOrder } from '../../contract/checks/check.ts'
import type { SandboxPort } from '../receiver-check/sandbox-port.ts'

/** The functions of a sandbox that a caller check needs. The client implements them by the control API. */
export interface CallerSandbox extends Pick<
  SandboxPort,
  'newestSeq' | 'waitForLink' | 'seenAfter' | 'refundCalls' | 'pay'
> {
  /** Why the egress policy does not let customers or webhooks go to an address. `null` if it does. */
  heldReason(url: string, by?: 'webhook' | 'visit'): Promise<string | null>
  /** Finds a link by its pay link. */
  link(payLink: string): Promise<CheckedOrder>
  account(
    id: string,
  ): Promise<{ readonly apiKey: string; readonly name: string; readonly recipientToken: string }>
  /** How many faults apply to the calls of an account. */
  countFaults(account: string): Promise<number>
  isClockRunning(): Promise<boolean>
  /** Adds a fault for the calls of an account. Returns a function that removes it. */
  addFault(account: string, script: readonly string[], times: number | 'always'): Promise<() => Promise<void>>
}
