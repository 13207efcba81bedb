import type { CheckedOrder, SkipReason } from '../../../contract/checks/check.ts'
import { truncate } from '../../../domain/text/truncate.ts'

/** Thrown if a case cannot prove anything. The message says why. */
export class NotPossibleError extends Error {
  override readonly name: string = 'NotPossibleError'
  readonly skipReason: SkipReason
  /** What the app did. The message must not contain it, because cases with the same message are listed together. */
  readonly example: string | undefined

  constructor(message: string, skipReason: SkipReason = 'inconclusive', example?: string) {
    super(message)
    this.skipReason = skipReason
    this.example = example
  }
}

const MAX_NOTE = 60

/** A note in a message. The long notes of some cases are cut. */
export const quoteNote = (note: string): string =>
  JSON.stringify(note.length > MAX_NOTE ? `${truncate(note, MAX_NOTE)}…` : note)

/** This reason hides no mistake, because customers cannot choose such notes. */
export const OWN_NOTES = 'your app gives its payment links notes of its own, which is fine'

/** Why a case about notes is skipped if the app gave the link of its order a different note. */
export const hasOtherNote = (note: string, expected: string): NotPossibleError =>
  new NotPossibleError(OWN_NOTES, 'order', `${quoteNote(note)} instead of ${quoteNote(expected)}`)

/** Why a case is skipped if nothing shows what the app does about the second payment of an order. */
export const secondPaymentUnseen = (): NotPossibleError =>
  new NotPossibleError(
    'the app requested no refund of the second payment, and where it records what it has received is not known: pass --received-pointer',
    'option',
  )

export const NO_STATE = 'the state of orders is not known: pass --state-url'

export const NOTES_OF_APP = 'the app chooses the notes of its orders itself: write {note} in --order-body'

/** Throws if the sandbox cannot send the webhook of a payment. */
export function needTargets({ targets }: CheckedOrder): void {
  if (targets.length > 0) return
  throw new NotPossibleError(
    'the sandbox sends no webhook, because the link of the order has no payment_endpoint',
    'order',
  )
}

/** Throws if the address is empty to which customers return. */
export function needCallback(callbackUrl: string): void {
  if (callbackUrl !== '') return
  throw new NotPossibleError(
    'no customer can return, because the link of the order has no callback_url',
    'order',
  )
}

/** Why there is no second link, if the app gives the cancelled one again. The reference leaves open whether this is a mistake. */
export const CANCELLED_LINK_AGAIN =
  'the app sent a customer who had cancelled and ordered again to the cancelled link. In the sandbox, nobody can pay such a link, and the API reference does not say whether the service lets them. If it does not, these customers can never pay. A new link after a cancel can be paid in any case'

/** Why a case is skipped if the case `name` fails, which sends only a good webhook. */
export const goodWebhooksFail = (name: string): string => `even a good webhook fails: mend ${name} first`

/** Why a case is skipped if the app does not read the webhooks of payments that are made at the sandbox. */
export const PAYMENTS_UNREAD =
  'your app reads only JSON, and the sandbox sends the webhook of a payment as a form: mend form-encoded-brackets first'

/** Why a case is skipped if the app takes no orders any longer, or payments no longer pay them. `name` is the case that has shown it. */
export const paymentsFail = (name: string): string =>
  `since ${name}, orders fail or are no longer paid: mend ${name} first`

/** Why a case is skipped if payments get lost when many come at once. `name` is the case that has shown it. */
export const paymentsFailAtOnce = (name: string): string =>
  `payments fail when many come at once: mend ${name} first`

/** Why a case is skipped if webhooks get no answer in time. `name` is the first case that has shown it. */
export const webhooksUnanswered = (name: string): string =>
  `your app does not answer webhooks in time: mend ${name} first`

/** Why a case is skipped if a payment has paid another order. `name` is the case that has shown it. */
export const paymentsGoAstray = (name: string): string =>
  `a payment of one order pays another one: mend ${name} first`
