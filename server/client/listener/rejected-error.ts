/** The sandbox does not accept the listener, or has removed it. The message says why and what to do. */
export class ListenerRejectedError extends Error {
  override readonly name = 'ListenerRejectedError'
  /** The HTTP status, which is 409 if the listener had been accepted before. `null` if there was no response. */
  readonly status: number | null

  constructor(message: string, status: number | null) {
    super(message)
    this.status = status
  }
}
