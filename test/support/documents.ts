import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Document, Method, Operation, Schema } from '../../server/openapi/document.ts'
import { runSandbox } from '../../server/sandbox.ts'
import { isAmong } from './wordings.ts'

/** A document, and validation against any part of it. */
export interface Checked {
  readonly document: Document
  /** What is wrong with a value, where the document has a schema for it at some place; empty where nothing is. */
  problemsOf(value: unknown, ...place: readonly string[]): string[]
  /** The operation that a method and a path without query belong to. */
  operationAt(
    method: string,
    path: string,
  ): { path: string; method: Method; operation: Operation } | undefined
}

let both: Promise<{ readonly api: Checked; readonly control: Checked }> | undefined

/** Both documents, as a sandbox gives them. */
export const documents = () => (both ??= read())

async function read() {
  await using sandbox = await runSandbox()
  const get = async (path: string) => (await fetch(sandbox.url + path)).json() as Promise<Document>
  return { api: check(await get('/openapi.json')), control: check(await get('/_sandbox/openapi.json')) }
}

function check(document: Document): Checked {
  const closed = ajvFor(closedAnswers(document))
  const open = ajvFor(document)
  const compiled = new Map<string, ValidateFunction>()

  function validatorAt(place: readonly string[]): ValidateFunction {
    const pointer = place.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
    const $ref = `document#/${pointer.join('/')}`
    const schema = place.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), document)
    // Of what is put together from parts, none can say that nothing else may be there.
    const ajv = (schema as Schema).allOf ? open : closed
    const validate = compiled.get($ref) ?? ajv.compile({ $ref })
    compiled.set($ref, validate)
    return validate
  }

  return {
    document,
    problemsOf(value, ...place) {
      const validate = validatorAt(place)
      if (validate(value)) return []
      return (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      )
    },
    operationAt(name, asked) {
      const method = name.toLowerCase() as Method
      const matching = Object.keys(document.paths).filter((path) => {
        const pattern = path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')
        return document.paths[path]![method] !== undefined && new RegExp(`^${pattern}$`).test(asked)
      })
      // What is named stands before what is any.
      const [path] = matching.toSorted((one, other) => one.split('{').length - other.split('{').length)
      const operation = path === undefined ? undefined : document.paths[path]![method]
      return path === undefined || operation === undefined ? undefined : { path, method, operation }
    },
  }
}

function ajvFor(document: object): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  addFormats.default(ajv)
  return ajv.addSchema({ ...document, $id: 'document' })
}

/** The document with all answers closed, so that nothing passes that it does not tell of. */
const closedAnswers = (document: Document): Document =>
  JSON.parse(
    JSON.stringify(document, (_key, value: unknown) =>
      isOpenObject(value) ? { ...value, additionalProperties: false } : value,
    ),
  ) as Document

const isOpenObject = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  value.type === 'object' &&
  'properties' in value &&
  !('additionalProperties' in value)

interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  readonly envelope: { readonly ResponseCode: number; readonly ResponseMsg: string }
}

/** Fails where the document of the v2 API does not tell of an answer. */
export async function expectToldByApi(name: string, { status, headers, envelope }: ApiAnswer): Promise<void> {
  const { api } = await documents()
  const path = `/api/v2/${name}`
  const operation = api.document.paths[path]?.post
  if (operation === undefined) return

  const content = operation.responses[status]?.content?.['application/json']
  if (!content) throw new Error(`${name} answered ${status}, of which /openapi.json says nothing.`)
  const place = ['paths', path, 'post', 'responses', String(status), 'content', 'application/json', 'schema']
  const problems = api.problemsOf(envelope, ...place)
  if (problems.length > 0) {
    throw new Error(`${name} answered otherwise than /openapi.json says: ${problems.join('; ')}`)
  }
  const told = Object.values(content.examples ?? {}).map(({ summary = '' }) => summary)
  if (envelope.ResponseCode === 0 && !isAmong(envelope.ResponseMsg, told)) {
    throw new Error(`${name} refused with "${envelope.ResponseMsg}", which its endpoint does not declare.`)
  }
  const assumed = headers.get('sandbox-assumed')?.split(', ') ?? []
  const untold = assumed.filter((one) => !operation['x-sandbox-behaviors']?.includes(one))
  if (untold.length > 0)
    throw new Error(`${name} rests on ${untold.join()}, which its endpoint does not declare.`)
}

/** What the routes of the control API have answered so far. */
export const answeredByControl = new Set<string>()

/** Fails where the document of the control API does not tell of an answer. */
export async function expectToldByControl(
  method: string,
  target: string,
  status: number,
  answer: unknown,
): Promise<void> {
  const { control } = await documents()
  const asked = `/_sandbox/v1${target.split('?', 1)[0]}`
  const found = control.operationAt(method, asked)
  if (found === undefined) {
    if (status === 404) return
    throw new Error(`${method} ${asked} is not in /_sandbox/openapi.json.`)
  }
  const { path, operation } = found
  const response = operation.responses[status]
  if (response === undefined) {
    throw new Error(
      `${method} ${path} answered ${status}, of which it tells nothing. Add it to the tell() of the route.`,
    )
  }
  answeredByControl.add(`${found.method} ${path} ${status}`)
  const [mediaType] = Object.keys(response.content ?? {})
  if (mediaType === undefined) return
  const problems = control.problemsOf(
    answer,
    'paths',
    path,
    found.method,
    'responses',
    String(status),
    'content',
    mediaType,
    'schema',
  )
  if (problems.length > 0) {
    throw new Error(`${method} ${path} answered otherwise than it tells: ${problems.join('; ')}`)
  }
}
