import { hc } from 'hono/client'
import type { ControlApi } from '../server/control/index.ts'
import { showToast } from './toasts.ts'
import { controlUrl } from './urls.ts'

interface FieldError {
  /** As in `billing.city` or `webhookUrls.1`. */
  readonly path: string
  readonly message: string
}

export const UNREACHABLE = 'The sandbox cannot be reached. It may be stopped or restarting.'

/** The sandbox said no, or could not be reached. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  /** With the status: `POST /_sandbox/v1/links/1001/pay 409`. */
  readonly request: string
  /** `null` where no answer came. */
  readonly status: number | null
  /** What is wrong with which part of the body, where that was said. */
  readonly errors: readonly FieldError[]

  constructor(detail: string, request: string, status: number | null, errors: readonly FieldError[] = []) {
    super(detail)
    this.errors = errors
    this.request = status === null ? request : `${request} ${status}`
    this.status = status
  }
}

async function fetchOrThrow(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input)
  const request = `${init?.method ?? 'GET'} ${pathname}${search}`
  const response = await fetch(input, init).catch(() => {
    throw new RequestError(UNREACHABLE, request, null)
  })
  if (response.ok) return response
  const problem = (await response.json().catch(() => ({}))) as { detail?: string; errors?: FieldError[] }
  throw new RequestError(problem.detail ?? response.statusText, request, response.status, problem.errors)
}

export const api = /* @__PURE__ */ hc<ControlApi>(controlUrl, { fetch: fetchOrThrow })

/** Does something, and answers with why it was refused, if it was. */
export async function catchRequestError(deed: () => Promise<unknown>): Promise<RequestError | undefined> {
  try {
    await deed()
    return undefined
  } catch (error) {
    if (error instanceof RequestError) return error
    throw error
  }
}

/** Does what somebody pressed a button for, and tells them when it went wrong. */
export async function withErrorToast<Result>(deed: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await deed()
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    showToast({ tone: 'err', text: error.message, request: error.request })
    return undefined
  }
}
