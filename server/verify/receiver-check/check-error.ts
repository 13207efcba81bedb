/** The check cannot start or continue. The message says why, and what to do. */
export class CheckError extends Error {
  override readonly name = 'CheckError'
}

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
