import type { RouterRoute } from 'hono/types'
import {
  METHODS,
  type Document,
  type Method,
  type PathItem,
  type Tag,
} from '../../platform/openapi/document.ts'
import { createSchemas } from '../../platform/openapi/schemas.ts'
import { ADMIN_COOKIE } from '../../platform/http/access.ts'
import { CONTROL_PATH } from '../../domain/http/control-route.ts'
import { documentOperation } from './document-operation.ts'
import { mergeDescriptions, type PartialDescription } from '../requests/describe-route.ts'

export interface MountedRoutes {
  /** The path that the routes are mounted under. */
  readonly prefix: string
  readonly routes: readonly RouterRoute[]
}

/** A route with the merged descriptions of its handlers. */
interface Route {
  readonly method: Method
  /** In the notation of OpenAPI, such as `/links/{ref}`. */
  readonly path: string
  readonly description: PartialDescription
}

/** The OpenAPI document of the control API, built from the descriptions of its routes. */
export function controlDocument(
  mounted: readonly MountedRoutes[],
  { version, baseUrl }: { readonly version: string; readonly baseUrl: string },
): Document {
  const schemas = createSchemas()
  const routes = mounted.flatMap(listRoutes)
  const paths: Record<string, PathItem> = {}
  const webSockets: Record<string, PathItem> = {}
  for (const { method, path, description } of routes) {
    const items = description.responses?.[101] === undefined ? paths : webSockets
    const operation = documentOperation({ method, path, tag: tagOf(path), description }, schemas)
    items[path] = { ...items[path], [method]: operation }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Control API of paylink-sandbox',
      version,
      description: [
        'The inspector, tests and scripts control the sandbox with this API. Bodies are JSON, amounts are in euros, times are in UTC.',
        'Errors are problem details (RFC 9457): `detail` says what is wrong and what to do. A body whose fields are all optional may be left out. An unknown key is an error.',
        'The header `Sandbox-Assumed` of an answer names the assumptions that the answer depends on, where the API reference is silent.',
        'OpenAPI cannot describe WebSockets. They are listed under `x-sandbox-websockets`, in the form of `paths`.',
      ].join('\n\n'),
      contact: { name: 'The paylink-sandbox authors' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This sandbox' }],
    tags: TAGS,
    security: [{}, { adminToken: [] }, { adminCookie: [] }],
    paths,
    'x-sandbox-websockets': webSockets,
    components: {
      schemas: schemas.components,
      securitySchemes: {
        adminToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The admin token, if the sandbox was started with one.',
        },
        adminCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: ADMIN_COOKIE,
          description: 'For browsers: open `/?admin_token=<token>` once to receive this cookie.',
        },
      },
    },
  }
}

/** The tags of routes. By default, a tag is named after the first segment of the path. `TAG_OF_SEGMENT` lists the exceptions. */
const TAGS: readonly Tag[] = [
  { name: 'sandbox', description: 'Version, health and contents of the sandbox.' },
  { name: 'accounts', description: 'Owners of links, and recipients of shares.' },
  { name: 'links', description: 'Payment links, and the actions of customers and the bank.' },
  { name: 'refunds', description: 'Refund requests, and the decision of the operator.' },
  { name: 'invoices', description: 'Tax invoices.' },
  { name: 'events', description: 'The journal of everything that happened, and waiting for it.' },
  { name: 'deliveries', description: 'Webhooks and their attempts.' },
  { name: 'diagnostics', description: 'Mistakes found in calls and receivers.' },
  { name: 'checks', description: 'Checks of receivers, and of apps that call the API.' },
  { name: 'behaviors', description: 'What the sandbox does where the API reference is silent.' },
  { name: 'faults', description: 'Simulated failures.' },
  { name: 'targets', description: 'Where notifications go.' },
  { name: 'maps', description: 'URL maps: other targets for webhooks and redirects.' },
  { name: 'allowed hosts', description: 'Public hosts that webhooks may be sent to.' },
  { name: 'tunnels', description: 'Public names that capture requests and forward them to a local app.' },
  { name: 'clock', description: "The sandbox's clock." },
  { name: 'seed', description: 'Accounts, payments and more in one file.' },
  { name: 'snapshots', description: 'Saved states of the whole sandbox.' },
  { name: 'reset', description: 'Reset to the seed.' },
  { name: 'exports', description: 'The run as a file.' },
]

const TAG_OF_SEGMENT: Readonly<Record<string, string>> = {
  stream: 'events',
  settle: 'deliveries',
  report: 'exports',
  summary: 'exports',
  'export.har': 'exports',
}

function tagOf(path: string): string {
  const [segment = ''] = path.startsWith(CONTROL_PATH) ? path.slice(CONTROL_PATH.length + 1).split('/') : []
  const tag = TAG_OF_SEGMENT[segment] ?? segment.replaceAll('-', ' ')
  return TAGS.some(({ name }) => name === tag) ? tag : 'sandbox'
}

/** Middleware is registered for all methods and is not a route. */
function listRoutes({ prefix, routes }: MountedRoutes): Route[] {
  const keys = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  return [...keys].flatMap((key) => {
    const [name = '', path = ''] = key.split(' ')
    const method = METHODS.find((known) => known.toUpperCase() === name)
    if (method === undefined) return []
    const handlers = routes.filter((route) => `${route.method} ${route.path}` === key)
    const description = mergeDescriptions(handlers.map(({ handler }) => handler))
    return [{ method, path: prefix + path.replaceAll(/:(\w+)/g, '{$1}'), description }]
  })
}
