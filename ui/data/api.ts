import { hc } from 'hono/client'
import type { ControlApi } from '../../server/control/control-api.ts'
import { showToast } from '../browser/toasts.ts'
import { controlUrl } from './urls.ts'

interface FieldError {
  /** Such as `billing.city` or `webhookUrls.1`. */
  readonly path: string
  readonly message: string
}

export const UNREACHABLE = 'The sandbox cannot be reached. It may be stopped or restarting.'

/** The control API rejected a request, or could not be reached. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  /** With the status: `POST /_sandbox/v1/links/1001/pay 409`. */
  readonly request: string
  /** `null` if no response arrived. */
  readonly status: number | null
  readonly errors: readonly FieldError[]

  constructor(detail: string, request: string, status: number | null, errors: readonly FieldError[] = []) {
    super(detail)
    this.errors = errors
    this.request = status === null ? request : `${request} ${status}`
    this.status = status
  }
}

/** The text of an error beside a field, from a message that continues a sentence: `should not be empty`. */
export const fieldErrorText = (message: string): string => `It ${message}.`

/** The message for a form with a single field. */
export const singleFieldError = ({ message, errors }: RequestError): string =>
  errors[0] ? fieldErrorText(errors[0].message) : message

export async function fetchOrThrow(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
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

/** Runs an action and returns its `RequestError`, if it throws one. */
export async function catchRequestError(action: () => Promise<unknown>): Promise<RequestError | undefined> {
  try {
    await action()
    return undefined
  } catch (error) {
    if (error instanceof RequestError) return error
    throw error
  }
}

/** Runs an action and shows its `RequestError` as a toast. Returns `undefined` in that case. */
export async function withErrorToast<Result>(action: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    showToast({ tone: 'err', text: error.message, request: error.request })
    return undefined
  }
}
