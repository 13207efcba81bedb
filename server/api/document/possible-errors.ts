import type { ApiErrorKind } from '../../domain/api/api-error.ts'
import { callRefusals } from '../answer-call.ts'
import { tokenRefusals } from '../authenticate.ts'
import { bodyRefusals } from '../body.ts'
import type { Endpoint } from '../endpoint.ts'
import type { MessagesByErrorKind } from '../../domain/api/api-error.ts'
import { examplesOf } from './examples.ts'
import { refusalsOfBody } from './body-errors.ts'

/** Something that an operation can say no with. */
export interface PossibleRefusal {
  readonly kind: ApiErrorKind
  readonly message: string
}

/** Every refusal that an operation can give, in the order in which a call is checked, or some `values` of fields lead to. */
export const refusalsOf = (
  operation: string,
  endpoint: Endpoint,
  values?: readonly unknown[],
): PossibleRefusal[] =>
  [
    tokenRefusals(operation),
    callRefusals,
    bodyRefusals,
    { invalid: refusalsOfBody(endpoint.body, completeBody(operation, endpoint), values) },
    endpoint.refusals,
  ].flatMap(listed)

const listed = (refusals: MessagesByErrorKind): PossibleRefusal[] =>
  (Object.entries(refusals) as [ApiErrorKind, readonly string[]][]).flatMap(([kind, messages]) =>
    messages.map((message) => ({ kind, message })),
  )

/** Has every field there is, and those that only examples have inside. */
const completeBody = (operation: string, { body }: Endpoint): object =>
  Object.assign(
    Object.fromEntries(Object.keys(body.shape).map((name) => [name, null])),
    ...examplesOf(operation).map(({ request }) => request.body),
  )
