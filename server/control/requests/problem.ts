import { STATUS_CODES } from 'node:http'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ApiError, HTTP_STATUS } from '../../domain/api/api-error.ts'
import { CONTROL_PATH } from '../control-path.ts'

/** An error of the control API. It is answered as a problem (RFC 9457). */
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

export const notFound = (detail: string): Problem => new Problem(404, detail)

/** The problem of an unknown id. `list` is the route that lists the existing ones. */
export const unknownId = (what: string, id: string, list: string): Problem =>
  notFound(`There is no ${what} ${id}. GET ${CONTROL_PATH}/${list} lists them.`)

/** The answer to an expected error. `undefined` for every other error. */
export function errorResponse(error: Error, c: Context): Response | undefined {
  if (error instanceof Problem) return problemResponse(c, error.status, error.message, error.extra)
  return error instanceof ApiError ? problemResponse(c, HTTP_STATUS[error.kind], error.message) : undefined
}

/** With the type `about:blank`, the title has to be the phrase of the status. */
export function problemResponse(
  c: Context,
  status: ContentfulStatusCode,
  detail: string,
  extra: Record<string, unknown> = {},
): Response {
  const text = JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail, ...extra })
  return c.body(text, status, { 'content-type': 'application/problem+json' })
}
