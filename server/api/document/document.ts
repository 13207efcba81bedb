import { behaviorNames, openPoints, type AssumptionName } from '../../domain/behaviors/behavior.ts'
import type { ApiErrorKind, ErrorDetails } from '../../domain/api/api-error.ts'
import type {
  ExampleCall,
  Document,
  Example,
  OpenPointNote,
  Operation,
  PathItem,
  Response,
  Schema,
} from '../../openapi/document.ts'
import { cacheLast } from '../../openapi/cache-last.ts'
import { createSchemas, type Schemas } from '../../openapi/schemas.ts'
import { HTTP_STATUS } from '../http-status.ts'
import type { Endpoint } from '../endpoint.ts'
import { endpoints } from '../endpoints.ts'
import { ErrorEnvelope, successEnvelope } from '../envelope.ts'
import { successExamples, type Case, type Step } from './examples.ts'
import { notifications } from './notifications.ts'
import { possibleErrors } from './possible-errors.ts'

interface Options {
  readonly version: string
  readonly baseUrl: string
  /** An API key of this sandbox. */
  readonly apiKey: string
}

/** The open points that any call can depend on. */
const callAssumptions: readonly AssumptionName[] = [
  'missingToken',
  'unknownToken',
  'rateLimit',
  'requestBody',
  'numericStrings',
  'ownWording',
  'errorStatus',
  'serverTime',
]

/** Returns the OpenAPI document of the v2 API for a base URL. It caches the last one. */
export const cachedApiDocument = (version: string, apiKey = '<API_KEY>'): ((baseUrl: string) => Document) =>
  cacheLast((baseUrl) => apiDocument({ version, baseUrl, apiKey }))

/** Builds the OpenAPI document from the declarations of the endpoints. */
function apiDocument({ version, baseUrl, apiKey }: Options): Document {
  const schemas = createSchemas()
  const paths: Record<string, PathItem> = Object.fromEntries(
    [...endpoints].map(([name, endpoint]) => [
      `/api/v2/${name}`,
      { post: describeOperation(name, endpoint, schemas, baseUrl) },
    ]),
  )
  return {
    openapi: '3.1.1',
    info: {
      title: 'Payment Link Service API',
      version: '2',
      description: [
        `As paylink-sandbox ${version} emulates it. Every operation is a POST with a JSON body, and the account's API key in the header \`token\`.`,
        'Every answer is an envelope. `ResponseCode` decides: 1 for success, 0 for a refusal, whose cause is the text of `ResponseMsg`. The HTTP status of a refusal is 200, unless the behavior `errorStatus` is `http`; only a call beyond the rate limit always gets 429.',
        'Where the API reference is silent the sandbox assumes something, and the header `Sandbox-Assumed` of an answer names what it rests on. `x-sandbox-behaviors` lists those open points.',
      ].join('\n\n'),
      contact: { name: 'The paylink-sandbox authors' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This sandbox' }],
    tags: [
      { name: 'Payment links', description: 'What a customer pays by.' },
      { name: 'Payments', description: 'What can be done about a payment afterwards.' },
      { name: 'Invoices', description: 'What the service charges.' },
      { name: 'Notifications', description: 'What the service sends when a payment ends.' },
    ],
    security: [{ token: [] }],
    paths,
    webhooks: notifications(schemas),
    components: {
      schemas: schemas.components,
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'token',
          description: `The API key of a development account, here for example \`${apiKey}\`.`,
          'x-sandbox-example': apiKey,
        },
      },
    },
    'x-sandbox-behaviors': (Object.keys(openPoints) as AssumptionName[]).map(describeOpenPoint),
  }
}

const TAGS: Readonly<Record<string, string>> = {
  createSplitLink: 'Payment links',
  createLink: 'Payment links',
  getTaxInvoiceList: 'Invoices',
}

function describeOperation(name: string, endpoint: Endpoint, schemas: Schemas, baseUrl: string): Operation {
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

/** Describes HTTP 200: success, and every error, as errors have status 200 by default. */
function describeSuccess(
  name: string,
  endpoint: Endpoint,
  { output }: Schemas,
  successes: Record<string, Example>,
): Response {
  const success = successEnvelope(endpoint.message, endpoint.resultFields).meta({
    id: `${name[0]!.toUpperCase()}${name.slice(1)}Answer`,
    description: `What ${name} answers on success.`,
  })
  return {
    description: 'Success, or a refusal, which `ResponseCode` tells.',
    headers,
    content: {
      'application/json': {
        schema: { oneOf: [output(success), output(ErrorEnvelope)] },
        examples: { ...successes, ...errorExamples(possibleErrors(name, endpoint).filter(isUsually200)) },
      },
    },
  }
}

const isUsually200 = ({ kind }: ErrorDetails): boolean => kind !== 'limited'

const errorDescriptions: Readonly<Record<ApiErrorKind, string>> = {
  unauthenticated: 'The key is missing or not one of a development account.',
  'not-found': 'There is no such thing.',
  conflict: 'The state of things forbids it.',
  invalid: 'Something is wrong with the request.',
  limited: 'Too many calls within a minute, where the behavior `rateLimit` sets a limit.',
}

function describeErrors(name: string, endpoint: Endpoint, { output }: Schemas): Record<string, Response> {
  const possible = possibleErrors(name, endpoint)
  const kinds = (Object.keys(HTTP_STATUS) as ApiErrorKind[]).filter((kind) =>
    possible.some((refusal) => refusal.kind === kind),
  )
  return Object.fromEntries(
    kinds.map((kind): [string, Response] => [
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
            examples: errorExamples(possible.filter((refusal) => refusal.kind === kind)),
          },
        },
      },
    ]),
  )
}

const headers = {
  'Sandbox-Assumed': {
    description:
      'The open points that the answer rests on, with commas between them. Absent where there are none.',
    schema: { type: 'string', examples: ['payId, linkFields'] },
  },
  'Sandbox-Error': {
    description: 'The code of the error, which stays the same if its message changes. Absent on success.',
    schema: { type: 'string', examples: ['amountMissing'] },
  },
  'Sandbox-Diagnostics': {
    description:
      'What the sandbox finds wrong or lucky about the call, by code. Absent where there is nothing.',
    schema: { type: 'string', examples: ['numberAsText'] },
  },
} satisfies Response['headers']

const retryHeader = {
  description: 'The seconds until the next call is taken.',
  schema: { type: 'integer', minimum: 1 } satisfies Schema,
}

const errorExamples = (refusals: readonly ErrorDetails[]): Record<string, Example> =>
  Object.fromEntries(
    refusals.map(({ code, message, isDocumented }, index) => [
      refusals.findIndex((other) => other.code === code) === index ? code : `${code}-${index + 1}`,
      {
        summary: message,
        ...(isDocumented ? {} : { description: 'A sentence of the sandbox. The API reference has none.' }),
        value: { ResponseCode: 0, ResponseMsg: message, Result: 'False', ServerTime: 'CEST' },
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

/** The contract has a placeholder for the base URL. */
const withBaseUrl = (example: Example, baseUrl: string): string =>
  JSON.stringify(example).replaceAll('{base_url}', baseUrl)

/** A component name that every OpenAPI tool accepts. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

function toCall(step: Step): ExampleCall {
  if ('call' in step) return { method: 'POST', path: `/api/v2/${step.call}`, body: step.body }
  const [method = '', path = ''] = step.control.split(' ')
  return { method, path: `/_sandbox/v1${path}` }
}

const switchable = new Set<string>(behaviorNames)

function describeOpenPoint(name: AssumptionName): OpenPointNote {
  const { options, pattern, reference, assumption } = openPoints[name]
  const isSwitchable = switchable.has(name)
  return {
    name,
    options: isSwitchable ? [...options, ...(pattern ? [pattern.text] : [])] : [],
    reference,
    assumption,
    switchable: isSwitchable,
  }
}
