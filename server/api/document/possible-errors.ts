import type { ApiErrorKind } from '../../domain/api/api-error.ts'
import { callErrors } from '../handle-call.ts'
import { tokenErrors } from '../authenticate.ts'
import { bodyErrors } from '../body.ts'
import type { Endpoint } from '../endpoint.ts'
import type { MessagesByErrorKind } from '../../domain/api/api-error.ts'
import { successExamples } from './examples.ts'
import { schemaErrors } from './schema-errors.ts'

/** An error that an operation can return. */
export interface PossibleError {
  readonly kind: ApiErrorKind
  readonly message: string
}

/**
 * Lists the errors that an operation can return, in the order in which a call is checked. `values` are tried
 * for each field.
 */
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

/** Builds a body with all fields. Nested fields come from the examples. */
const completeBody = (operation: string, { body }: Endpoint): object =>
  Object.assign(
    Object.fromEntries(Object.keys(body.shape).map((name) => [name, null])),
    ...successExamples(operation).map(({ request }) => request.body),
  )
