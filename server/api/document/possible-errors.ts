import type { ApiErrorKind } from '../../domain/api/api-error.ts'
import { callErrors } from '../handle-call.ts'
import { tokenErrors } from '../authenticate.ts'
import { bodyErrors } from '../body.ts'
import type { Endpoint } from '../endpoint.ts'
import type { MessagesByErrorKind } from '../../domain/api/api-error.ts'
import { successExamples } from './examples.ts'
import { schemaErrors } from './schema-errors.ts'

/** Something that an operation can say no with. */
export interface PossibleError {
  readonly kind: ApiErrorKind
  readonly message: string
}

/** Every refusal that an operation can give, in the order in which a call is checked, or some `values` of fields lead to. */
export const possibleErrors = (
  operation: string,
  endpoint: Endpoint,
  values?: readonly unknown[],
): PossibleError[] =>
  [
    tokenErrors(operation),
    callErrors,
    bodyErrors,
    { invalid: schemaErrors(endpoint.body, completeBody(operation, endpoint), values) },
    endpoint.errors,
  ].flatMap(flatten)

const flatten = (refusals: MessagesByErrorKind): PossibleError[] =>
  (Object.entries(refusals) as [ApiErrorKind, readonly string[]][]).flatMap(([kind, messages]) =>
    messages.map((message) => ({ kind, message })),
  )

/** Has every field there is, and those that only examples have inside. */
const completeBody = (operation: string, { body }: Endpoint): object =>
  Object.assign(
    Object.fromEntries(Object.keys(body.shape).map((name) => [name, null])),
    ...successExamples(operation).map(({ request }) => request.body),
  )
