import type { CheckedOrder } from '../../contract/checks/check.ts'

/** A call of the API that the sandbox answered. */
export interface ApiCall {
  readonly operation: string
  /** By the sandbox's clock. */
  readonly at: string
  /** The HTTP status. */
  readonly status: number
  /** The `ResponseCode`. */
  readonly code: 0 | 1
  readonly message: string
}

/** What a caller check needs of a sandbox. The client implements it with the control API. */
export interface CallerSandbox {
  /** Why the egress policy forbids an address. `null` if it allows it. */
  heldReason(url: string): Promise<string | null>
  /** The `seq` of the newest event. */
  newestSeq(): Promise<number>
  /** Waits for a link that is created after an event, by one account or by any. `undefined` after the timeout. */
  waitForLink(seq: number, account: string | undefined, timeoutMs: number): Promise<CheckedOrder | undefined>
  /** Finds a link by its pay link. */
  link(payLink: string): Promise<CheckedOrder>
  /** The calls of an account after an event, and the links that they created. */
  seenAfter(
    seq: number,
    account: string,
  ): Promise<{ readonly calls: readonly ApiCall[]; readonly links: readonly CheckedOrder[] }>
  account(
    id: string,
  ): Promise<{ readonly apiKey: string; readonly name: string; readonly recipientToken: string }>
  /** How many faults apply to the calls of an account. */
  countFaults(account: string): Promise<number>
  isClockRunning(): Promise<boolean>
  /** Adds a fault for the calls of an account. Returns a function that removes it. */
  addFault(account: string, script: readonly string[], times: number | 'always'): Promise<() => Promise<void>>
  /** Pays a link as a customer whose browser is closed afterwards. Resolves when its webhooks were sent. */
  pay(link: Pick<CheckedOrder, 'id'>): Promise<void>
}
