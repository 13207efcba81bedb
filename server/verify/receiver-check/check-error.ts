import type { CheckedOrder } from '../../contract/checks/check.ts'

/** The check cannot start or continue. The message says why, and what to do. */
export class CheckError extends Error {
  override readonly name = 'CheckError'
}

/** Two different orders got the same pay link. */
export class SharedLinkError extends CheckError {
  readonly link: CheckedOrder
  readonly seen: string

  constructor(link: CheckedOrder, other: string) {
    const seen = `the orders ${other} and ${link.order} got the same pay link, ${link.payLink ?? link.id}`
    super(`The check ended early, because ${seen}. Give each order a reference that no other order gets.`)
    this.link = link
    this.seen = seen
  }
}

/** The service refused the call of the app, so there is no order to check. `answer` is what the customer got. */
export const callRefused = (refusal: string, answer: string): CheckError =>
  new CheckError(
    `Nothing was checked, because the service refused the call of the app: ${refusal}. The customer got this: ${answer}. Correct the call, the key of the app, or --order-body.`,
  )

/** The app did not create an order. */
export class NoOrderError extends CheckError {
  readonly reason: string
  /** Whether the app says that its code has failed. */
  readonly hasFailed: boolean

  constructor(reason: string, { advice = '', hasFailed = false } = {}) {
    super(`No order could be made: ${reason}.${advice}`)
    this.reason = reason
    this.hasFailed = hasFailed
  }
}
