import { ProblemSchema } from '../../contract/schemas/problem.ts'
import { z } from 'zod'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { EventSchema } from '../../contract/schemas/event.ts'
import { DeliverySchema } from '../../contract/schemas/delivery.ts'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ApiError, type ApiErrorKind } from '../../domain/api/api-error.ts'
import type { Context } from 'hono'

/** What a wait answers that is not over in time, or found what should not have happened. */
export const WaitProblemSchema = ProblemSchema.extend({
  matched: z.int().optional().meta({ description: 'How many events matched.' }),
  count: z.int().optional().meta({
    description: 'How many should have. Of `found` and `deliveries`, how many there are in all.',
  }),
  looked: z.int().optional().meta({ description: 'How many events were looked at.' }),
  found: readonlyList(EventSchema)
    .optional()
    .meta({ description: 'The first that matched, and should not.' }),
  deliveries: readonlyList(DeliverySchema)
    .optional()
    .meta({ description: 'The oldest that were still underway.' }),
  nearest: readonlyList(
    z.object({
      event: EventSchema,
      differences: readonlyList(
        z.object({ key: z.string(), wanted: z.unknown(), found: z.unknown().optional() }),
      ),
    }),
  )
    .optional()
    .meta({ description: 'The events that came nearest to what was waited for, and what differed.' }),
}).meta({ id: 'WaitProblem', description: 'An error with what was seen while waiting.' })

/** An error of the control API, answered as RFC 9457 describes. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: ContentfulStatusCode
  readonly title: string
  readonly extra: Record<string, unknown>

  constructor(
    status: ContentfulStatusCode,
    title: string,
    detail: string,
    extra: Record<string, unknown> = {},
  ) {
    super(detail)
    this.status = status
    this.title = title
    this.extra = extra
  }
}

export const notFound = (what: string): Problem => new Problem(404, 'Not found', what)

const REFUSED: Readonly<Record<ApiErrorKind, readonly [ContentfulStatusCode, string]>> = {
  unauthenticated: [401, 'Not authenticated'],
  'not-found': [404, 'Not found'],
  conflict: [409, 'The state forbids it'],
  invalid: [422, 'Not valid'],
  limited: [429, 'Too many requests'],
}

/** Answers with whatever went wrong. `undefined` for what is a fault of the sandbox itself. */
export function errorResponse(error: Error, c: Context): Response | undefined {
  if (error instanceof Problem)
    return problemResponse(c, error.status, error.title, error.message, error.extra)
  if (!(error instanceof ApiError)) return undefined
  const [status, title] = REFUSED[error.kind]
  return problemResponse(c, status, title, error.message)
}

export function problemResponse(
  c: Context,
  status: ContentfulStatusCode,
  title: string,
  detail: string,
  extra: Record<string, unknown> = {},
): Response {
  const text = JSON.stringify({ type: 'about:blank', title, status, detail, ...extra })
  return c.body(text, status, { 'content-type': 'application/problem+json' })
}
