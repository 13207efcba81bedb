import { createDocumentChecker, type DocumentChecker } from './document-checker.ts'
import type { Document } from '../../server/platform/openapi/document.ts'
import { runSandbox } from '../../server/runtime/sandbox.ts'

let both: Promise<{ readonly api: DocumentChecker; readonly control: DocumentChecker }> | undefined

/** Both OpenAPI documents, as served by a sandbox. */
export const documents = () => (both ??= read())

async function read() {
  await using sandbox = await runSandbox()
  const get = async (path: string) => (await fetch(sandbox.url + path)).json() as Promise<Document>
  return {
    api: createDocumentChecker(await get('/openapi.json')),
    control: createDocumentChecker(await get('/_sandbox/openapi.json')),
  }
}

interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  readonly envelope: { readonly ResponseCode: number; readonly ResponseMsg: string }
}

/** Throws if the document of the v2 API does not describe an answer. */
export async function assertApiAnswer(name: string, { status, headers, envelope }: ApiAnswer): Promise<void> {
  const { api } = await documents()
  const path = `/api/v2/${name}`
  const operation = api.document.paths[path]?.post
  if (operation === undefined) return

  const content = operation.responses[status]?.content?.['application/json']
  if (!content) throw new Error(`${name} answered ${status}, which /openapi.json does not describe.`)
  const place = ['paths', path, 'post', 'responses', String(status), 'content', 'application/json', 'schema']
  const problems = api.problemsOf(envelope, ...place)
  if (problems.length > 0) {
    throw new Error(`The answer of ${name} does not match /openapi.json: ${problems.join('; ')}`)
  }
  const code = headers.get('sandbox-error')
  if (
    code !== null &&
    !Object.keys(content.examples ?? {})
      .map(errorCodeOf)
      .includes(code)
  ) {
    throw new Error(`${name} answered the error ${code}, which its endpoint does not list.`)
  }
  const assumed = headers.get('sandbox-assumed')?.split(', ') ?? []
  const unlisted = assumed.filter((one) => !operation['x-sandbox-behaviors']?.includes(one))
  if (unlisted.length > 0)
    throw new Error(`The answer of ${name} depends on ${unlisted.join()}, which its endpoint does not list.`)
}

/**
 * The code of an error, from the name of its example. If a code has several examples, the names of the others end with a
 * number.
 */
export const errorCodeOf = (exampleName: string): string => exampleName.replace(/-\d+$/, '')

/** The routes of the control API that were called, as `<METHOD> <path> <status>`. */
export const calledRoutes = new Set<string>()

/** Throws if the document of the control API does not describe an answer. */
export async function assertControlAnswer(
  method: string,
  target: string,
  status: number,
  answer: unknown,
): Promise<void> {
  const { control } = await documents()
  const requested = `/_sandbox/v1${target.split('?', 1)[0]}`
  const found = control.operationAt(method, requested)
  if (found === undefined) {
    if (status === 404) return
    throw new Error(`${method} ${requested} is not in /_sandbox/openapi.json.`)
  }
  const { path, operation } = found
  const response = operation.responses[status]
  if (response === undefined) {
    throw new Error(
      `${method} ${path} answered ${status}, which is not documented. Add it to the describeRoute() of the route.`,
    )
  }
  calledRoutes.add(`${found.method} ${path} ${status}`)
  const [mediaType] = Object.keys(response.content ?? {})
  if (mediaType === undefined) return
  const problems = control.problemsOf(
    answer,
    ...found.place,
    'responses',
    String(status),
    'content',
    mediaType,
    'schema',
  )
  if (problems.length > 0) {
    throw new Error(`${method} ${path} answered differently from its documentation: ${problems.join('; ')}`)
  }
}
