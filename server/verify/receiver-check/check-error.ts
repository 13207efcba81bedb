/** The check cannot start or continue. The message says why, and what to do. */
export class CheckError extends Error {
  override readonly name = 'CheckError'
}

/** The app made no order. */
export class NoOrderError extends CheckError {
  readonly reason: string

  constructor(reason: string, advice = '') {
    super(`No order could be made: ${reason}.${advice}`)
    this.reason = reason
  }
}
