import type { ErrorDetails } from '../../../domain/api/api-error.ts'
import { callErrors } from '../answer-call.ts'
import { tokenErrors } from '../authenticate.ts'
import { bodyErrors } from '../parse-body.ts'
import type { Endpoint } from '../endpoint.ts'
import { successExamples } from './examples.ts'
import { schemaErrors } from './schema-errors.ts'

/** The errors that an operation can respond with, in the sequence of its checks. */
export const possibleErrors = (operation: string, endpoint: Endpoint): ErrorDetails[] =>
  withoutRepetitions([
    ...tokenErrors(operation),
    ...callErrors,
    ...bodyErrors,
    ...schemaErrors(endpoint.body, completeBody(operation, endpoint)),
    ...endpoint.errors,
  ])

const withoutRepetitions = (errors: readonly ErrorDetails[]): ErrorDetails[] =>
  errors.filter(({ message }, index) => errors.findIndex((other) => other.message === message) === index)

/**
 * A body with every field of the schema, filled with the examples. Fields without an example are `null`. A list has one entry,
 * because the error for any other entry would differ only in its position.
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
