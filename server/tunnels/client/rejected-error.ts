/** The sandbox lets a listener in no more. The message says why and what to do. */
export class ListenerRejectedError extends Error {
  override readonly name = 'ListenerRejectedError'
  /** The HTTP status: 409 where it was let in before, `null` where no answer came. */
  readonly status: number | null

  constructor(message: string, status: number | null) {
    super(message)
    this.status = status
  }
}
