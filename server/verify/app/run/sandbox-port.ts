import type { CheckedOrder, Probe } from '../../../contract/checks/check.ts'
import { formatAmount } from '../../../contract/format/values.ts'
import { isTlsProblemCode } from '../../../domain/network/tls-problem.ts'
import type { SecretFinder } from '../../../domain/secrets/secret-finder.ts'
import type { PaymentOutcome } from '../../../domain/webhooks/webhook.ts'
import type { HttpResponse } from '../../../domain/http/http-fetch.ts'
import type { CaseWebhook } from '../webhooks/write-webhook.ts'

/** Whether the sandbox could not connect to the address of a probe, for example because nothing listens there. */
export const isUnreachable = ({ errorCode }: Pick<Probe, 'errorCode'>): boolean =>
  errorCode === 'connectionRefused' ||
  errorCode === 'hostUnknown' ||
  errorCode === 'hostUnreachable' ||
  isTlsProblemCode(errorCode)

export interface ApiCall {
  readonly seq: number
  readonly operation: string
  /** According to the sandbox's clock. */
  readonly at: string
  readonly status: number
  readonly code: 0 | 1
  readonly message: string
}

export interface RefusedCall {
  readonly operation: string
  /** The code of the sandbox's error. `undefined` if a fault or the real service refused the call. */
  readonly errorCode: string | undefined
  readonly message: string
  readonly sent: string
}

export interface RefundCall {
  readonly payId: number
  /** In euros. */
  readonly amount: number
  readonly isAccepted: boolean
  /** Whether the service would accept the call, if it knew the payments that the check only makes up. */
  readonly isPossible: boolean
  readonly message: string
}

/** The amount that a refund was requested with. Shows each digit of an amount that is not a whole number of cents. */
export function asked(euros: number): string {
  if (!Number.isFinite(euros)) return 'no amount'
  return Math.round(euros * 100) / 100 === euros ? formatAmount(euros) : String(euros)
}

export interface ResendCall {
  readonly payIds: string
  readonly status: string
}

/** Whether a call asked for the webhook of a payment with a status. */
export const isAskedFor = (
  calls: readonly ResendCall[],
  { payId }: Pick<CheckedOrder, 'payId'>,
  wanted: PaymentOutcome,
): boolean =>
  calls.some(
    ({ payIds, status }) =>
      status.toLowerCase() === wanted.toLowerCase() && payIds.split(',').some((one) => Number(one) === payId),
  )

/** How a refund request fails at the service. */
export type RefundFailure = 'refusal' | 'web page' | 'lost call' | 'lost answer'

/** What a receiver check needs from a sandbox. The client implements this with the control API. */
export interface SandboxPort {
  /**
   * Posts a webhook that belongs to no payment, if the egress policy allows this, and records it as `check.sent`. Does not use
   * the dispatcher, which would send five webhooks to one target one after another.
   */
  post(to: string, webhook: CaseWebhook): Promise<Probe>
  /** Opens a page at the moment when the webhooks and the other pages of its group are sent. Does not follow redirects. */
  visit(
    url: string,
    request: {
      /** The name of the case, for the journal. */
      readonly check: string
      readonly cookie: string
      readonly atOnce: NonNullable<CaseWebhook['atOnce']>
    },
  ): Promise<HttpResponse>
  /** Why the egress policy forbids an address. `null` if it is allowed. */
  heldReason(url: string, by: 'webhook' | 'visit'): Promise<string | null>
  /** Creates a link in the account of the check. The amount is in euros. */
  createLink(wanted: { readonly amount: number; readonly note: string }): Promise<CheckedOrder>
  newestSeq(): Promise<number>
  /**
   * Waits for a link that is created after an event, by one account or by any. Ignores links that are not wanted. `undefined`
   * after the timeout.
   */
  waitForLink(
    seq: number,
    account: string | undefined,
    timeoutMs: number,
    isWanted?: (link: CheckedOrder) => boolean,
  ): Promise<CheckedOrder | undefined>
  /** Finds a link by its id, its `link_id`, `pay:<pay_id>` or its pay link. */
  link(ref: string | number): Promise<CheckedOrder>
  /** The calls of an account after an event, and the links that they created. */
  seenAfter(
    seq: number,
    account: string,
  ): Promise<{ readonly calls: readonly ApiCall[]; readonly links: readonly CheckedOrder[] }>
  /** The ids of the links that an account has created after an event. Old links may no longer exist. */
  createdLinks(seq: number, account: string): Promise<readonly number[]>
  /**
   * Why the service refused the latest call after an event that contains one of these texts, such as the note of an order. The
   * account of the app is unknown before its first order, and other apps may use the sandbox. `undefined` if there is no such
   * call.
   */
  refusalAfter(seq: number, texts: readonly string[], account?: string): Promise<RefusedCall | undefined>
  /** The calls of `refundPayment` of an account after an event. */
  refundCalls(seq: number, account: string): Promise<readonly RefundCall[]>
  /** The calls of `sendWebhookViaPayId` that an account has made after an event. */
  resendCalls(seq: number, account: string): Promise<readonly ResendCall[]>
  /**
   * Some other accounts of the sandbox, the oldest first. An app may know them, for example because they get a share. The targets are those
   * of the newest links.
   */
  otherAccounts(
    account: string,
  ): Promise<readonly { readonly id: string; readonly targets: readonly string[] }[]>
  /** Finds the API key of an account in texts. */
  keyFinder(account: string): Promise<SecretFinder>
  /** Refuses the next refund that an account requests, answers it with a web page, or loses the call or its answer. Further failures are for the refunds after it. Returns a function that undoes it. */
  failRefund(account: string, ...failures: readonly RefundFailure[]): Promise<() => Promise<void>>
  /** Makes every call of an account fail with HTTP 503. Returns a function that undoes this. */
  failCalls(account: string): Promise<() => Promise<void>>
  /** Pays a link as a customer who then closes the browser. Resolves when its webhooks are sent. */
  pay(link: Pick<CheckedOrder, 'id'>): Promise<void>
  /** Calls `sendWebhookViaPayId` for a paid link, with the key of its account. Resolves when its webhooks are sent. */
  resend(link: Pick<CheckedOrder, 'accountId' | 'payId'>): Promise<void>
  /** Approves the refund of a link as the operator. Returns false if no refund was requested. */
  approveRefund(link: Pick<CheckedOrder, 'id' | 'payId'>): Promise<boolean>
  /** Delays the response to the next call of an account, or to its next call of an operation. Returns a function that undoes this. */
  delayAnswer(account: string, ms: number, operation?: 'refundPayment'): Promise<() => Promise<void>>
  /** Makes the service send the webhook `Success` of an unpaid link if an account asks for it. Returns a function that undoes this. */
  sendUnpaid(account: string): Promise<() => Promise<void>>
  /** Gives new links of an account a `pay_id` that differs from their `id`. Returns a function that undoes this. */
  distinguishPayIds(account: string | undefined): Promise<() => Promise<void>>
}
