import { z } from 'zod'
import {
  HTTP_STATUS,
  isDocumented,
  type ApiErrorKind,
  type ErrorDetails,
} from '../../../domain/api/api-error.ts'
import type { AssumptionName } from '../../../domain/behaviors/open-points.ts'
import type {
  Example,
  ExampleCall,
  OperationObject,
  ResponseObject,
  SchemaObject,
} from '../../../platform/openapi/document.ts'
import type { Schemas } from '../../../platform/openapi/schemas.ts'
import { assume } from '../assumed.ts'
import type { Endpoint } from '../endpoint.ts'
import { ErrorEnvelope, successEnvelope } from '../envelope.ts'
import { successExamples, type Case, type ExampleStep } from './examples.ts'
import { possibleErrors } from './possible-errors.ts'

/** The open points that any call can depend on. */
const callAssumptions: readonly AssumptionName[] = [
  'missingToken',
  'unknownToken',
  'rateLimit',
  'requestBody',
  'requestEncoding',
  'bodyLimits',
  'checkOrder',
  'numericStrings',
  'optionalFields',
  'unknownFields',
  'booleanAsText',
  'textAsNumber',
  'ownWording',
  'errorStatus',
  'serverTime',
]

const TAGS: Readonly<Record<string, string>> = {
  createSplitLink: 'Payment links',
  createLink: 'Payment links',
  getTaxInvoiceList: 'Invoices',
}

/** Describes one operation, from the declaration of its endpoint. */
export function describeOperation(
  name: string,
  endpoint: Endpoint,
  schemas: Schemas,
  baseUrl: string,
): OperationObject {
  const examples = successExamples(name)
  return {
    operationId: name,
    tags: [TAGS[name] ?? 'Payments'],
    summary: endpoint.summary,
    description: endpoint.description,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemas.input(endpoint.body),
          examples: createExamples(examples, baseUrl, ({ request, given }) => ({
            value: request.body,
            ...(given === undefined ? {} : { 'x-sandbox-given': given.map(toCall) }),
          })),
        },
      },
    },
    responses: {
      '200': describeSuccess(
        name,
        endpoint,
        schemas,
        createExamples(examples, baseUrl, ({ answer }) => ({ value: answer.body })),
      ),
      ...describeErrors(name, endpoint, schemas),
    },
    'x-sandbox-behaviors': [...endpoint.assumptions, ...callAssumptions],
  }
}

/** Describes HTTP 200. It stands for success, but also for every error, because errors have status 200 by default. */
function describeSuccess(
  name: string,
  endpoint: Endpoint,
  { output }: Schemas,
  successes: Record<string, Example>,
): ResponseObject {
  const message = z.literal(endpoint.message)
  const { assumesMessage } = endpoint
  const shownMessage = assumesMessage ? message.apply(assume, assumesMessage, 'const') : message
  const success = successEnvelope(shownMessage, endpoint.resultFields).meta({
    id: `${name[0]!.toUpperCase()}${name.slice(1)}Answer`,
    description: `The response of ${name} on success.`,
  })
  return {
    description: 'Success or an error. `ResponseCode` tells which.',
    headers,
    content: {
      'application/json': {
        schema: { oneOf: [output(success), output(ErrorEnvelope)] },
        examples: {
          ...successes,
          ...errorExamples(name, possibleErrors(name, endpoint).filter(hasStatus200ByDefault)),
        },
      },
    },
  }
}

const hasStatus200ByDefault = ({ kind }: ErrorDetails): boolean => kind !== 'limited'

const errorDescriptions: Readonly<Record<ApiErrorKind, string>> = {
  unauthenticated: 'The API key is missing, unknown, or not one of a development account.',
  'not-found': 'The link or the operation does not exist.',
  conflict: 'The current state does not allow it.',
  invalid: 'The request is invalid.',
  limited: 'Too many calls within a minute. The behavior `rateLimit` sets the limit.',
}

function describeErrors(
  name: string,
  endpoint: Endpoint,
  { output }: Schemas,
): Record<string, ResponseObject> {
  const possible = possibleErrors(name, endpoint)
  const kinds = (Object.keys(HTTP_STATUS) as ApiErrorKind[]).filter((kind) =>
    possible.some((error) => error.kind === kind),
  )
  return Object.fromEntries(
    kinds.map((kind): [string, ResponseObject] => [
      String(HTTP_STATUS[kind]),
      {
        description:
          kind === 'limited'
            ? errorDescriptions[kind]
            : `${errorDescriptions[kind]} The HTTP status is 200 unless the behavior \`errorStatus\` is \`http\`.`,
        headers: {
          ...headers,
          ...(kind === 'limited' ? { 'Retry-After': retryHeader } : {}),
        },
        content: {
          'application/json': {
            schema: output(ErrorEnvelope),
            examples: errorExamples(
              name,
              possible.filter((error) => error.kind === kind),
            ),
          },
        },
      },
    ]),
  )
}

const headers = {
  'Sandbox-Assumed': {
    description:
      'The assumptions that the response depends on, separated by commas. Absent if there are none.',
    schema: { type: 'string', examples: ['payId, linkFields'] },
  },
  'Sandbox-Confirmed': {
    description:
      'The open points that the response depends on and that the real service decides in the same way, separated by commas. Absent without the option `calibration`.',
    schema: { type: 'string', examples: ['errorStatus'] },
  },
  'Sandbox-Error': {
    description: 'The code of the error, which stays the same if its message changes. Absent on success.',
    schema: { type: 'string', examples: ['amountMissing'] },
  },
  'Sandbox-Error-Field': {
    description: 'The field of the request that the error is about. Absent if it is about no field.',
    schema: { type: 'string', examples: ['amount', 'recipients[1].share'] },
  },
  'Sandbox-Diagnostics': {
    description: 'The codes of the findings about the call, separated by commas. Absent if there are none.',
    schema: { type: 'string', examples: ['numberAsText'] },
  },
} satisfies ResponseObject['headers']

const retryHeader = {
  description: 'The number of seconds until the next call is allowed.',
  schema: { type: 'integer', minimum: 1 } satisfies SchemaObject,
}

const errorExamples = (operation: string, errors: readonly ErrorDetails[]): Record<string, Example> =>
  Object.fromEntries(
    errors.map((error, index) => [
      errors.findIndex(({ code }) => code === error.code) === index
        ? error.code
        : `${error.code}-${index + 1}`,
      {
        summary: error.message,
        ...(isDocumented(error, operation)
          ? {}
          : { description: 'The sandbox chose this message. The API reference does not list it here.' }),
        value: { ResponseCode: 0, ResponseMsg: error.message, Result: 'False', ServerTime: 'CEST' },
      },
    ]),
  )

const createExamples = (
  cases: readonly Case[],
  baseUrl: string,
  exampleOf: (one: Case) => Example,
): Record<string, Example> =>
  Object.fromEntries(
    cases.map((one) => [
      slug(one.name),
      { summary: one.name, ...(JSON.parse(withBaseUrl(exampleOf(one), baseUrl)) as Example) },
    ]),
  )

/** Replaces the placeholder of the base URL in an example of the contract. */
const withBaseUrl = (example: Example, baseUrl: string): string =>
  JSON.stringify(example).replaceAll('{base_url}', baseUrl)

/** A component name that every OpenAPI tool accepts. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

function toCall(step: ExampleStep): ExampleCall {
  if ('call' in step) return { method: 'POST', path: `/api/v2/${step.call}`, body: step.body }
  const [method = '', path = ''] = step.control.split(' ')
  return { method, path: `/_sandbox/v1${path}` }
}
