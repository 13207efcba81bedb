import { isBehaviorName, listOptions } from '../../../domain/behaviors/behavior.ts'
import { groupOpenPoints } from '../../../domain/behaviors/open-point-groups.ts'
import { openPoints, type AssumptionName } from '../../../domain/behaviors/open-points.ts'
import { cacheLast } from '../../../domain/text/cache-last.ts'
import {
  API_KEY_PLACEHOLDER,
  type Document,
  type OpenPointNote,
  type PathItem,
} from '../../../platform/openapi/document.ts'
import { createSchemas } from '../../../platform/openapi/schemas.ts'
import { endpoints } from '../endpoints/all-endpoints.ts'
import { describeOperation } from './describe-operation.ts'
import { notifications } from './notifications.ts'

interface Options {
  readonly version: string
  readonly baseUrl: string
  /** An API key of this sandbox. */
  readonly apiKey: string
}

/** Returns the OpenAPI document of the v2 API for a base URL. The last document is cached. */
export const cachedApiDocument = (
  version: string,
  apiKey = API_KEY_PLACEHOLDER,
): ((baseUrl: string) => Document) => cacheLast((baseUrl) => apiDocument({ version, baseUrl, apiKey }))

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
        `The v2 API as paylink-sandbox ${version} emulates it. Every operation is a POST request with a JSON body and the account's API key in the header \`token\`.`,
        'Every response is an envelope. `ResponseCode` is 1 for success and 0 for an error, and `ResponseMsg` says which error. The HTTP status of an error is 200, unless the behavior `errorStatus` is `http`. A call beyond the rate limit always gets 429.',
        'Where the API reference is silent, the sandbox makes an assumption. The header `Sandbox-Assumed` names the assumptions that a response depends on. `x-sandbox-behaviors` lists all of them. `x-sandbox-assumed` marks what the reference does not say about a field: for each assumption, keywords of the schema, or `field` for the whole field.',
      ].join('\n\n'),
      contact: { name: 'The paylink-sandbox authors' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This sandbox' }],
    tags: [
      { name: 'Payment links', description: 'Create the links that customers pay with.' },
      { name: 'Payments', description: 'Refund payments and send their webhooks again.' },
      { name: 'Invoices', description: "List the invoices of the service's fees." },
      { name: 'Notifications', description: 'What the service sends after a payment.' },
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
          description: [
            'The API key of an account: letters and digits. The call runs as that account, and the key can do everything that the account can.',
            `Development and production have separate keys, and the sandbox accepts those of development accounts only. An example in this sandbox: \`${apiKey}\`.`,
            'A call that has no such key gets `ResponseCode` 0 and `Incorrect token or missing token`. createSplitLink has the messages `Please enter token` and `No user found with the provided API key.` as well.',
            'The service accepts HTTPS only. The sandbox also accepts HTTP.',
          ].join(' '),
          'x-sandbox-example': apiKey,
        },
      },
    },
    'x-sandbox-behaviors': describeOpenPoints(),
  }
}

/** All open points, by subject. */
function describeOpenPoints(): OpenPointNote[] {
  const named = (Object.keys(openPoints) as AssumptionName[]).map((name) => ({ name, ...openPoints[name] }))
  return groupOpenPoints(named).flatMap(({ title, points }) =>
    points.map(({ name, reference, assumption }) => {
      const options = isBehaviorName(name) ? listOptions(name) : []
      return { name, group: title, options, reference, assumption, switchable: options.length > 0 }
    }),
  )
}
