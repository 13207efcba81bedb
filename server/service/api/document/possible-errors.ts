import { isDocumented, type ErrorDetails } from '../../../domain/api/api-error.ts'
import type { DocumentedError } from '../../../domain/events/run-report.ts'
import { callErrors } from '../answer-call.ts'
import { tokenErrors } from '../authenticate.ts'
import { bodyErrors } from '../parse-body.ts'
import type { Endpoint } from '../endpoint.ts'
import { endpoints } from '../endpoints/all-endpoints.ts'
import { successExamples } from './examples.ts'
import { schemaErrors } from './schema-errors.ts'

/**
 * The errors that an operation can answer, in the sequence of its checks. The schema of the body is tested with the wrong
 * `values` for each field, or with a list of usual ones.
 */
export const possibleErrors = (
  operation: string,
  endpoint: Endpoint,
  values?: readonly unknown[],
): ErrorDetails[] =>
  withoutRepetitions([
    ...tokenErrors(operation),
    ...callErrors,
    ...bodyErrors,
    ...schemaErrors(endpoint.body, completeBody(operation, endpoint), values),
    ...endpoint.errors,
  ])

const withoutRepetitions = (errors: readonly ErrorDetails[]): ErrorDetails[] =>
  errors.filter(({ message }, index) => errors.findIndex((other) => other.message === message) === index)

/**
 * A body with every field of the schema, with the values of the examples. Fields without an example are `null`. A list has one
 * entry, because the message about another entry differs only in its position.
 */
const completeBody = (operation: string, { body }: Endpoint): object =>
  Object.assign(
    Object.fromEntries(Object.keys(body.shape).map((name) => [name, null])),
    ...successExamples(operation).map(({ request }) =>
      Object.fromEntries(
        Object.entries(request.body).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.slice(0, 1) : (value as unknown),
        ]),
      ),
    ),
  )

/**
 * Lists the errors that the reference documents, with their operations. Bodies are tested only with missing fields:
 * testing other wrong values takes much longer.
 */
export function documentedErrors(): readonly DocumentedError[] {
  known ??= [...endpoints].flatMap(([operation, endpoint]) =>
    possibleErrors(operation, endpoint, [undefined])
      .filter((error) => isDocumented(error, operation))
      .map(({ code, message }) => ({ operation, code, message })),
  )
  return known
}

let known: readonly DocumentedError[] | undefined
