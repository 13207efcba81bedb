/** The check cannot start or continue. The message says why, and what to do. */
export class CheckError extends Error {
  override readonly name = 'CheckError'
}

/** The app made no order. */
export class NoOrderError extends CheckError {}
