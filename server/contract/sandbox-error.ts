/** One error in the query or the body of a request. */
export interface FieldError {
  /** Such as `billing.city` or `webhookUrls.1`. */
  readonly path: string
  /** Continues a sentence that begins with the path: `should not be empty`. */
  readonly message: string
}

/** The sandbox rejected a request, or could not be reached. The message contains the request, the status and the reason. */
export class SandboxError extends Error {
  override readonly name: string = 'SandboxError'
  /** Method and path, like `POST /_sandbox/v1/links/1001/pay`. */
  readonly request: string
  /** The HTTP status. `null` without an answer. */
  readonly status: number | null
  /** The RFC 9457 problem of the answer. */
  readonly problem: Readonly<Record<string, unknown>>
  /** The reason: the message without request and status. */
  readonly detail: string

  constructor(
    message: string,
    request: string,
    status: number | null,
    problem: Readonly<Record<string, unknown>> = {},
    detail: string = message,
  ) {
    super(message)
    this.request = request
    this.status = status
    this.problem = problem
    this.detail = detail
  }

  /** The errors in the query or the body, one per key. */
  get errors(): readonly FieldError[] {
    return (this.problem.errors as readonly FieldError[] | undefined) ?? []
  }
}
