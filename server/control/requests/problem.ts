import { STATUS_CODES } from 'node:http'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ApiError, HTTP_STATUS } from '../../domain/api/api-error.ts'
import type { FieldError } from '../../contract/sandbox-error.ts'
import { describeRemedy, type Remedy } from '../../domain/http/control-route.ts'
import { asSentence } from '../../domain/text/as-sentence.ts'

/** An error of the control API, sent as a problem (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: ContentfulStatusCode
  /** Further fields of the problem. */
  readonly extra: Record<string, unknown>

  constructor(status: ContentfulStatusCode, detail: string, extra: Record<string, unknown> = {}) {
    super(detail)
    this.status = status
    this.extra = extra
  }
}

export const invalid = (detail: string, extra?: Record<string, unknown>): Problem =>
  new Problem(400, detail, extra)

/** A problem with one field. `message` continues a sentence that begins with the name of the field: `should not be empty`. */
export const invalidField = (field: string, message: string, errors: readonly FieldError[]): Problem =>
  invalid(asSentence(`${field} ${message}`), { errors })

export const notFound = (detail: string): Problem => new Problem(404, detail)

/** A problem whose detail consists of a reason and a remedy, so that a client can phrase the remedy differently. */
export const withRemedy = (status: ContentfulStatusCode, reason: string, remedy: Remedy): Problem =>
  new Problem(status, `${reason} ${describeRemedy(remedy)}.`, { reason, remedy })

/** The problem for an unknown id. `route` is the route that lists the existing ids. */
export const unknownId = (noun: string, id: string, route: string): Problem =>
  withRemedy(404, `There is no ${noun} ${id}.`, { route, effect: 'lists them' })

/** The response to an expected error. `undefined` for all other errors. */
export function errorResponse(error: Error, c: Context): Response | undefined {
  if (error instanceof Problem) return problemResponse(c, error.status, error.message, error.extra)
  if (!(error instanceof ApiError)) return undefined
  const { kind, message, advice } = error.details
  const extra = advice && { reason: `${advice.reason}.`, remedy: advice.remedy }
  return problemResponse(c, HTTP_STATUS[kind], message, extra)
}

/** For the type `about:blank`, the title must be the reason phrase of the status. */
export function problemResponse(
  c: Context,
  status: ContentfulStatusCode,
  detail: string,
  extra: Record<string, unknown> = {},
): Response {
  const text = JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail, ...extra })
  return c.body(text, status, { 'content-type': 'application/problem+json' })
}
