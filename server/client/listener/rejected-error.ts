/** The sandbox does not accept the listener, or no longer does. The message says why and what to do. */
export class ListenerRejectedError extends Error {
  override readonly name = 'ListenerRejectedError'
  /** The HTTP status: 409 for a listener that was accepted before, `null` without an answer. */
  readonly status: number | null

  constructor(message: string, status: number | null) {
    super(message)
    this.status = status
  }
}
