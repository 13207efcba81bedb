import type { RouterRoute } from 'hono/types'
import type { z } from 'zod'
import {
  METHODS,
  type Content,
  type Document,
  type Method,
  type Operation,
  type Parameter,
  type PathItem,
  type Response,
  type Schema,
  type Tag,
} from '../openapi/document.ts'
import { createSchemas, type Schemas } from '../openapi/schemas.ts'
import { ADMIN_COOKIE } from '../http/admission.ts'
import { ProblemSchema } from '../contract/schemas/problem.ts'
import { WaitProblemSchema } from './requests/problem.ts'
import { mergeDescriptions, type PartialDescription } from './requests/describe-route.ts'

/** Routes, and where they are mounted. */
export interface MountedRoutes {
  readonly prefix: string
  readonly routes: readonly RouterRoute[]
}

/** One operation, put together from the notes of all its handlers. */
interface Route {
  readonly method: Method
  /** As OpenAPI writes it, with parameters in braces. */
  readonly path: string
  readonly note: PartialDescription
}

/** The control API as OpenAPI, made of what its routes tell. */
export function controlDocument(
  described: readonly MountedRoutes[],
  { version, baseUrl }: { readonly version: string; readonly baseUrl: string },
): Document {
  const schemas = createSchemas()
  const routes = described.flatMap(routesOf)
  const paths: Record<string, PathItem> = {}
  const webSockets: Record<string, PathItem> = {}
  for (const { method, path, note } of routes) {
    const items = note.answers?.[101] === undefined ? paths : webSockets
    items[path] = { ...items[path], [method]: operationOf({ method, path, note }, schemas) }
  }
  const used = new Set(routes.map(({ path }) => tagOf(path)))
  return {
    openapi: '3.1.1',
    info: {
      title: 'Control API of paylink-sandbox',
      version,
      description: [
        'What the inspector, tests and scripts steer the sandbox by. JSON in and out, amounts in euros, times in UTC.',
        'Errors are problems as RFC 9457 describes, and `detail` says what is wrong and what to do. A body can be left out where every field of it can, and an unknown key is an error.',
        'An answer that rests on something the API reference leaves open names it in the header `Sandbox-Assumed`.',
        'OpenAPI cannot describe WebSockets, so `x-sandbox-websockets` has those, in the form of `paths`.',
      ].join('\n\n'),
      contact: { name: 'The paylink-sandbox authors' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This sandbox' }],
    tags: TAGS.filter(({ name }) => used.has(name)),
    security: [{}, { adminToken: [] }, { adminCookie: [] }],
    paths,
    'x-sandbox-websockets': webSockets,
    components: {
      schemas: schemas.components,
      securitySchemes: {
        adminToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The admin token, where the sandbox was started with one.',
        },
        adminCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: ADMIN_COOKIE,
          description: 'The same, for a browser that has opened `/?admin_token=<token>` once.',
        },
      },
    },
  }
}

const TAGS: readonly Tag[] = [
  { name: 'sandbox', description: 'The sandbox itself.' },
  { name: 'accounts', description: 'Owners of links, and recipients of shares.' },
  { name: 'links', description: 'Payment links, and what customers and the bank do about them.' },
  { name: 'refunds', description: "The operator's review." },
  { name: 'events', description: 'The journal of everything that happened.' },
  { name: 'deliveries', description: 'Webhooks and their attempts.' },
  { name: 'diagnostics', description: 'What was found about calls and receivers.' },
  { name: 'checks', description: 'How a receiver stands what may come to it.' },
  { name: 'behaviors', description: 'What the API reference leaves open.' },
  { name: 'faults', description: 'What is asked to go wrong.' },
  { name: 'targets', description: 'Where notifications go.' },
  { name: 'clock', description: "The sandbox's time." },
  { name: 'seed', description: 'Accounts, payments and more, as one file.' },
  { name: 'snapshots', description: 'States to go back to.' },
  { name: 'reset', description: 'Beginning anew.' },
]

/** Whatever has no tag of its own is about the sandbox. */
function tagOf(path: string): string {
  const [, , room = ''] = path.split('/').slice(1)
  return TAGS.some(({ name }) => name === room) ? room : 'sandbox'
}

/** Middleware that stands for any method belongs to no route. */
function routesOf({ prefix, routes }: MountedRoutes): Route[] {
  const keys = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  return [...keys].flatMap((key) => {
    const [name = '', path = ''] = key.split(' ')
    const method = METHODS.find((known) => known.toUpperCase() === name)
    if (method === undefined) return []
    const handlers = routes.filter((route) => `${route.method} ${route.path}` === key)
    const note = mergeDescriptions(handlers.map(({ handler }) => handler))
    return [{ method, path: prefix + path.replaceAll(/:(\w+)/g, '{$1}'), note }]
  })
}

function operationOf({ method, path, note }: Route, schemas: Schemas): Operation {
  const parameters = [...pathParameters(note, schemas), ...queryParameters(note, schemas)]
  return {
    operationId: idOf(method, path),
    tags: [tagOf(path)],
    // A route that tells nothing is in the document all the same, where a test finds it.
    summary: note.summary ?? '',
    description: note.description ?? '',
    ...(note.open ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(note.body === undefined ? {} : { requestBody: requestBodyOf(schemas.input(note.body)) }),
    ...(note.file === undefined ? {} : { requestBody: fileOf(note.file) }),
    responses: { ...answersOf(note, schemas), ...problemsOf(method, note, schemas) },
  }
}

/** `postLinksRefPay` for `POST /_sandbox/v1/links/{ref}/pay`. */
const idOf = (method: Method, path: string): string =>
  method +
  path
    .replace(/^\/_sandbox(\/v\d+)?/, '')
    .split(/[^a-zA-Z]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

const pathParameters = ({ path = {} }: PartialDescription, { input }: Schemas): Parameter[] =>
  Object.entries(path).map(([name, type]) => parameter(name, 'path', true, input(type)))

function queryParameters({ query }: PartialDescription, { input }: Schemas): Parameter[] {
  if (query === undefined) return []
  const { properties = {}, required = [] } = input(query)
  return Object.entries(properties).map(([name, schema]) =>
    parameter(name, 'query', required.includes(name), schema),
  )
}

function parameter(name: string, where: 'path' | 'query', required: boolean, schema: Schema): Parameter {
  const { description, ...rest } = schema
  return { name, in: where, required, ...(description === undefined ? {} : { description }), schema: rest }
}

const requestBodyOf = (schema: Schema) => ({
  required: (schema.required ?? []).length > 0,
  content: { 'application/json': { schema } },
})

const fileOf = (type: string) => ({
  required: true,
  content: { [type]: { schema: { type: 'string', format: 'binary' } } },
})

const SUCCESS: Readonly<Record<string, string>> = {
  101: 'The stream is open. Each message is one of these, as text.',
  200: 'OK',
  201: 'Created',
  204: 'No content',
  503: 'Not ready',
}

function answersOf({ answers = {} }: PartialDescription, { output }: Schemas): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]): [string, Response] => [
      status,
      {
        description: SUCCESS[status] ?? 'OK',
        ...(answer === null ? {} : { content: contentOf(answer, output) }),
      },
    ]),
  )
}

const contentOf = (answer: z.ZodType | string, output: Schemas['output']): Content =>
  typeof answer === 'string'
    ? {
        [answer]: { schema: { type: 'string', ...(answer.startsWith('text/') ? {} : { format: 'binary' }) } },
      }
    : { 'application/json': { schema: output(answer) } }

const PROBLEMS: Readonly<Record<number, string>> = {
  400: 'Query or body are not as they should be. `errors` names each key.',
  401: 'The sandbox asks for its admin token.',
  403: "The request comes under a name or from a page that is not the sandbox's, or is one of its webhooks.",
  404: 'There is no such thing.',
  408: 'It did not happen in time. `nearest` has what came nearest.',
  409: 'The state of things forbids it.',
  413: 'The body is larger than `detail` says it may be.',
  415: 'The body is not JSON.',
  422: 'What is asked for cannot be.',
  500: 'The sandbox failed. Its log has the reason.',
}

function problemsOf(method: Method, note: PartialDescription, { output }: Schemas): Record<string, Response> {
  if (note.open) return { 400: { description: 'The request has no valid `Host` header. No body says so.' } }
  const statuses = [
    ...(note.query || note.body || method !== 'get' ? [400] : []),
    401,
    403,
    ...(note.problems ?? []),
    ...(method === 'get' ? [] : [413, 415]),
    500,
  ]
  const isWait = note.problems?.includes(408)
  return Object.fromEntries(
    statuses.map((status): [string, Response] => [
      String(status),
      {
        description: PROBLEMS[status]!,
        content: {
          'application/problem+json': {
            schema: output(isWait && (status === 408 || status === 409) ? WaitProblemSchema : ProblemSchema),
          },
        },
      },
    ]),
  )
}
