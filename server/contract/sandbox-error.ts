import type { Remedy } from '../domain/http/control-route.ts'

/** One error in the query or the body of a request. */
export interface FieldError {
  /** Like `billing.city` or `webhookUrls.1`. */
  readonly path: string
  /** Continues a sentence that begins with the path: `should not be empty`. */
  readonly message: string
}

/** The sandbox rejected a request, or could not be reached. The message contains the request, the status and the reason. */
export class SandboxError extends Error {
  override readonly name: string = 'SandboxError'
  /** Method and path, like `POST /_sandbox/v1/links/1001/pay`. */
  readonly request: string
  /** The HTTP status. `null` if there was no response. */
  readonly status: number | null
  /** The RFC 9457 problem in the response. */
  readonly problem: Readonly<Record<string, unknown>>
  /** The reason: the message without request and status. */
  readonly detail: string

  /** Whether a fault of the sandbox may have caused the error, because an API call got no proper response. */
  readonly canBeFault: boolean

  constructor(
    message: string,
    request: string,
    status: number | null,
    problem: Readonly<Record<string, unknown>> = {},
    {
      detail = message,
      canBeFault = false,
    }: { readonly detail?: string; readonly canBeFault?: boolean } = {},
  ) {
    super(message)
    this.request = request
    this.status = status
    this.problem = problem
    this.detail = detail
    this.canBeFault = canBeFault
  }

  /** What is wrong, without what to do about it. */
  get reason(): string {
    return (this.problem.reason as string | undefined) ?? this.detail
  }

  /** The route of the control API that solves the problem. `detail` mentions it after the reason. */
  get remedy(): Remedy | undefined {
    return this.problem.remedy as Remedy | undefined
  }

  /** The errors in the query or the body, one for each key. */
  get errors(): readonly FieldError[] {
    return (this.problem.errors as readonly FieldError[] | undefined) ?? []
  }
}
