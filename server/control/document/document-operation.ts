import { INTERNAL_FAILURE } from '../../store/database-error.ts'
import type { z } from 'zod'
import type {
  Content,
  Method,
  OperationObject,
  Parameter,
  RequestBody,
  ResponseObject,
  SchemaObject,
} from '../../platform/openapi/document.ts'
import type { Schemas } from '../../platform/openapi/schemas.ts'
import { ProblemSchema } from '../../contract/schemas/problem.ts'
import type { PartialDescription } from '../requests/describe-route.ts'
import { WaitProblemSchema } from '../waits/wait-problem.ts'

interface DescribedRoute {
  readonly method: Method
  readonly path: string
  readonly tag: string
  readonly description: PartialDescription
}

export function documentOperation(
  { method, path, tag, description }: DescribedRoute,
  schemas: Schemas,
): OperationObject {
  const parameters = [...pathParameters(description, schemas), ...queryParameters(description, schemas)]
  const requestBody = requestBodyOf(description, schemas)
  return {
    operationId: operationId(method, path),
    tags: [tag],
    // A route without a description is listed as well, so that a test can find it.
    summary: description.summary ?? '',
    description: description.description ?? '',
    ...(description.isPublic ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { ...successes(description, schemas), ...errors(method, description, schemas) },
  }
}

/** `postLinksRefPay` for `POST /_sandbox/v1/links/{ref}/pay`. */
const operationId = (method: Method, path: string): string =>
  method +
  path
    .replace(/^\/_sandbox(\/v\d+)?/, '')
    .split(/[^a-zA-Z]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

const pathParameters = ({ params = {} }: PartialDescription, { input }: Schemas): Parameter[] =>
  Object.entries(params).map(([name, type]) => parameter(name, 'path', true, input(type)))

function queryParameters({ query }: PartialDescription, { input }: Schemas): Parameter[] {
  if (query === undefined) return []
  const { properties = {}, required = [] } = input(query)
  return Object.entries(properties).map(([name, schema]) =>
    parameter(name, 'query', required.includes(name), schema),
  )
}

function parameter(
  name: string,
  where: 'path' | 'query',
  required: boolean,
  schema: SchemaObject,
): Parameter {
  const { description, ...rest } = schema
  return { name, in: where, required, ...(description === undefined ? {} : { description }), schema: rest }
}

function requestBodyOf({ body, bodyType }: PartialDescription, { input }: Schemas): RequestBody | undefined {
  if (bodyType !== undefined) {
    return { required: true, content: { [bodyType]: { schema: { type: 'string', format: 'binary' } } } }
  }
  if (body === undefined) return undefined
  const schema = input(body)
  return { required: (schema.required ?? []).length > 0, content: { 'application/json': { schema } } }
}

const SUCCESSES: Readonly<Record<string, string>> = {
  101: 'The WebSocket is open',
  200: 'OK',
  201: 'Created',
  204: 'No content',
  503: 'Not ready',
}

function successes(
  { responses = {} }: PartialDescription,
  { output }: Schemas,
): Record<string, ResponseObject> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, body]): [string, ResponseObject] => [
      status,
      {
        description: SUCCESSES[status] ?? 'OK',
        ...(body === null ? {} : { content: contentOf(body, output) }),
      },
    ]),
  )
}

const contentOf = (body: z.ZodType | string, output: Schemas['output']): Content =>
  typeof body === 'string'
    ? { [body]: { schema: { type: 'string', ...(body.startsWith('text/') ? {} : { format: 'binary' }) } } }
    : { 'application/json': { schema: output(body) } }

const ERRORS: Readonly<Record<number, string>> = {
  400: 'The query or the body is invalid. `errors` lists what is wrong, key by key.',
  401: 'The admin token is missing or wrong.',
  403: 'The token, the `Host` or the `Origin` is not accepted, or the request is a webhook.',
  404: 'What the request names does not exist.',
  408: 'The wait timed out. `nearest` lists the closest events.',
  409: 'The current state does not allow it. `detail` says why.',
  413: 'The body is too large. `detail` names the limit.',
  415: 'The body is not JSON.',
  422: 'The request is valid, but cannot be carried out. `detail` says why.',
  500: `${INTERNAL_FAILURE}.`,
}

function errors(
  method: Method,
  { isPublic, query, body, errors: own = [] }: PartialDescription,
  { output }: Schemas,
): Record<string, ResponseObject> {
  if (isPublic) return { 400: { description: 'The `Host` header is invalid. The answer has no body.' } }
  const statuses = [
    ...(query || body || method !== 'get' ? [400] : []),
    401,
    403,
    ...own,
    ...(method === 'get' ? [] : [413, 415]),
    500,
  ]
  const isWait = own.includes(408)
  return Object.fromEntries(
    statuses.map((status): [string, ResponseObject] => {
      const schema = output(isWait && (status === 408 || status === 409) ? WaitProblemSchema : ProblemSchema)
      return [
        String(status),
        { description: ERRORS[status]!, content: { 'application/problem+json': { schema } } },
      ]
    }),
  )
}
