import { curlCommand } from '../domain/http/curl.ts'
import { textBody, type Exchange } from '../domain/http/exchange.ts'
import type { ExampleCall, Document, OperationObject } from '../platform/openapi/document.ts'
import { sampleValue } from './sample.ts'

/** curl commands for the first example of an operation. The last one calls the operation itself. */
export function commandsFor(document: Document, call: ExampleCall, operation: OperationObject): string[] {
  const commands = requestsFor(document, call, operation).map(curlCommand)
  const takesFile =
    operation.requestBody !== undefined && operation.requestBody.content['application/json'] === undefined
  return takesFile ? commands.map((one) => `${one} \\\n  -T snapshot.ndjson.gz`) : commands
}

/** The requests of the first example of an operation. The last one calls the operation itself. */
export function requestsFor(
  document: Document,
  call: ExampleCall,
  operation: OperationObject,
): Exchange['request'][] {
  const content = operation.requestBody?.content['application/json']
  const example = Object.values(content?.examples ?? {})[0]
  const body = example?.value ?? (content && sampleValue(content.schema))
  const parameters = operation.parameters ?? []
  const filledPath = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((path, { name, schema }) => path.replace(`{${name}}`, String(sampleValue(schema))), call.path)
  const requiredQuery = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(sampleValue(schema)))}`)
  const path = requiredQuery.length === 0 ? filledPath : `${filledPath}?${requiredQuery.join('&')}`
  return [...(example?.['x-sandbox-given'] ?? []), { ...call, path, body }].map((one) =>
    toRequest(document, one),
  )
}

/** Adds an API key if the operation needs one, and leaves out an empty body. */
function toRequest(
  { servers, security, components }: Document,
  { method, path, body }: ExampleCall,
): Exchange['request'] {
  const base = servers[0]!.url
  const key = path.startsWith('/api/') && security ? components.securitySchemes?.token : undefined
  const hasBody = body !== undefined && (key !== undefined || Object.keys(Object(body)).length > 0)
  return {
    method,
    url: base + path,
    headers: [
      ...(key?.['x-sandbox-example'] === undefined ? [] : [['token', key['x-sandbox-example']] as const]),
      ...(hasBody ? [['Content-Type', 'application/json'] as const] : []),
    ],
    body: textBody(hasBody ? formatJson(body) : ''),
  }
}

/** JSON, on one line if it is short. */
function formatJson(body: unknown): string {
  const text = JSON.stringify(body)
  return text.length < 60 ? text : JSON.stringify(body, null, 2)
}
