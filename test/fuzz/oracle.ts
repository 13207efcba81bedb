import { maxHeaderSize, METHODS } from 'node:http'
import { INTERNAL_FAILURE } from '../../server/store/database-error.ts'
import type { DocumentChecker } from '../support/document-checker.ts'
import { KEY, type FuzzRequest } from './request.ts'
import type { Answer } from './send.ts'

interface Documents {
  readonly api: DocumentChecker
  readonly control: DocumentChecker
}

/** Reasons why answers may fail on purpose: a request since the last reset asked for it. */
export interface Expected {
  /** Faults can spoil any answer of the API. */
  hasFaults: boolean
  /** 5xx answers that were configured for tunnels, as `<name> <status>`. */
  readonly tunnelAnswers: Set<string>
}

/** A snapshot can contain faults that were added before it. */
const SETS_FAULTS = /^\/_sandbox\/v1\/(faults|snapshots\/[^/]+\/restore|reset\/undo)/

/**
 * Notes that a request makes later answers fail. Call this function before the request is sent, because other requests may get
 * such answers at once.
 */
export function expectFailures({ method, target, body }: FuzzRequest, expected: Expected): void {
  if (method === 'POST' && SETS_FAULTS.test(target)) expected.hasFaults = true
  const [, name] = /^\/_sandbox\/v1\/tunnels\/([^/?]+)\/answer(\?|$)/.exec(target) ?? []
  if (method !== 'PUT' || name === undefined) return
  // The JSON may be encoded in UTF-16 or otherwise corrupted.
  for (const status of body.toString('latin1').replaceAll('\0', '').match(/5\d\d/g) ?? [])
    expected.tunnelAnswers.add(`${name} ${status}`)
}

/** A tunnel answers with these if its listener fails, is late or was removed, or if tunnels form a loop. */
const TUNNEL_STATUSES = [502, 503, 504, 508]
/** These answers are sent while they are generated, so an error can only cut them off. */
const STREAMED = /export\.har|report|\/file|seed/

/** Returns the problem of an answer, or `undefined`. */
export function findProblem(
  request: FuzzRequest,
  answer: Answer,
  documents: Documents,
  expected: Expected,
): string | undefined {
  const { status, headers, body, isComplete, raw, hasTimedOut } = answer
  const { entryPoint, method, target, isWellFormed } = request
  if (hasTimedOut) return 'there was no answer'
  const path = pathOf(target)
  const isSpoiled = path.startsWith('/api/v2/') && expected.hasFaults
  if (status === null) {
    if (!isWellFormed || isSpoiled) return undefined
    return raw.length === 0 ? 'the connection was closed without an answer' : 'the answer is not HTTP'
  }
  const text = body.toString()
  if (status >= 500 && text.includes(INTERNAL_FAILURE))
    return `answered ${status}: ${text.trim().slice(0, 300)}`
  const mayFail = path.startsWith('/tunnel/')
    ? TUNNEL_STATUSES.includes(status) ||
      expected.tunnelAnswers.has(`${path.split('/')[2]} ${status}`) ||
      expected.hasFaults
    : isSpoiled
  if (status >= 500 && !mayFail)
    return isWellFormed ? `answered ${status}: ${text.slice(0, 300)}` : `answered ${status} to malformed HTTP`
  if (!isWellFormed || isRejectedByNode(request, answer) || isSpoiled) return undefined
  if (!isComplete && !STREAMED.test(target)) return 'the answer broke off'
  if (entryPoint === 'tunnel') return undefined
  if (headers['x-content-type-options'] !== 'nosniff') return 'the answer has no X-Content-Type-Options'
  // A downloaded page contains its own policy.
  const isPage = headers['content-type']?.includes('text/html') && !headers['content-disposition']
  if (isPage && status !== 404 && !headers['content-security-policy'])
    return 'a page without Content-Security-Policy'
  if (method === 'HEAD') return undefined
  if (path.startsWith('/api/v2/')) return checkEnvelope(request, answer, documents.api)
  if (entryPoint === 'control' && isPlainPath(target)) return checkControl(request, answer, documents.control)
  return undefined
}

/** Returns the path of a target, with dot segments resolved. */
const pathOf = (target: string): string =>
  URL.canParse(target, 'http://127.0.0.1') ? new URL(target, 'http://127.0.0.1').pathname : target

/** Returns whether a path has no escapes, dot segments or empty segments. */
const isPlainPath = (target: string): boolean => /^(\/[\w:=@-][\w.:=@-]*)+(\?|$)/.test(target)

/** Returns whether Node or the URL parser rejected a request, before the sandbox got it. */
function isRejectedByNode({ method, target, headers }: FuzzRequest, { status, headers: answered }: Answer) {
  if (answered['content-type'] !== undefined) return false
  // Node counts the size of headers without the separators.
  const size = headers.reduce((sum, [name, value]) => sum + name.length + value.length, target.length)
  if (status === 431) return size >= maxHeaderSize
  if (status !== 400) return false
  const [, host = ''] = headers.find(([name]) => name === 'Host') ?? []
  const isHost = /^[\w.-]+(:\d+)?$/.test(host) && URL.canParse(`http://${host}/`)
  return !METHODS.includes(method) || !isHost || (target.split('?', 1)[0] ?? '').includes('\\')
}

function checkEnvelope({ method, target }: FuzzRequest, { status, body }: Answer, document: DocumentChecker) {
  const envelope = parseJson(body)
  if (envelope === undefined) return `the answer is not an envelope: ${body.toString().slice(0, 200)}`
  const { ResponseCode: code, ResponseMsg: message, Result: result, ServerTime: time, data } = envelope
  const isValid =
    ((code === 1 && result === 'True') || (code === 0 && result === 'False' && data === undefined)) &&
    typeof message === 'string' &&
    message !== '' &&
    /^CES?T$/.test(String(time))
  if (!isValid) return `the envelope is malformed: ${JSON.stringify(envelope).slice(0, 200)}`
  const found = document.operationAt(method, target.split('?', 1)[0]!)
  return found && compareWithDocument(document, found, status!, envelope)
}

function checkControl({ method, target }: FuzzRequest, answer: Answer, document: DocumentChecker) {
  const { status, headers, body } = answer
  const found = document.operationAt(method, target.split('?', 1)[0]!)
  if (found === undefined)
    return status! < 400 && status !== 304 ? `answered ${status}, but is not in the document` : undefined
  // An answer that is a document has no closed schema.
  if (/openapi\.json$|\/seed\/schema$/.test(found.path)) return undefined
  const value = headers['content-type']?.includes('json') ? (parseJson(body) ?? 'no JSON') : undefined
  return compareWithDocument(document, found, status!, value)
}

function compareWithDocument(
  document: DocumentChecker,
  { method, path, operation, place }: NonNullable<ReturnType<DocumentChecker['operationAt']>>,
  status: number,
  value: unknown,
): string | undefined {
  const what = `${method.toUpperCase()} ${path} ${status}`
  const response = operation.responses[String(status)]
  if (response === undefined) return `${what}: the status is not in the document`
  const [mediaType] = Object.keys(response.content ?? {})
  if (mediaType === undefined || value === undefined) return undefined
  const schema = [...place, 'responses', String(status), 'content', mediaType, 'schema']
  const problems = document.problemsOf(value, ...schema)
  return problems.length === 0 ? undefined : `${what}: differs from the document: ${problems.join('; ')}`
}

function parseJson(body: Buffer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** The sandbox requires this admin token. The requests do not contain it. */
export const ADMIN_TOKEN = 'nobody-sends-this'
/** These paths require no token. */
const OPEN_PATHS = ['/_sandbox/health', '/_sandbox/ready']
/** The only keys that a refusal may contain. */
const PROBLEM_KEYS = ['detail', 'status', 'title', 'type']

/** Returns the problem of an answer to a request without the admin token, or `undefined`. */
export function findRefusalProblem(request: FuzzRequest, answer: Answer): string | undefined {
  const { method, target, isWellFormed, entryPoint } = request
  const { status, headers, body, raw, hasTimedOut } = answer
  if (hasTimedOut) return 'there was no answer'
  if (raw.includes(KEY) || raw.includes(ADMIN_TOKEN)) return 'the answer contains a key'
  const path = target.split('?', 1)[0]!
  if (!path.startsWith('/_sandbox/')) return undefined
  if (OPEN_PATHS.includes(path) && ['GET', 'HEAD'].includes(method)) return undefined
  if (status !== null && status < 400) return `${method} ${path} answered ${status}`
  // Node rejects malformed requests before the sandbox checks the token.
  const type = headers['content-type']
  if (status === null || !isWellFormed || entryPoint === 'socket' || type === undefined) return undefined
  if (/%|\.\./.test(path)) return undefined
  // 403: the request has the host or origin of someone else, so a token would not help.
  if (![401, 403].includes(status)) return `${method} ${path} answered ${status} instead of 401`
  if (method === 'HEAD' || !type.includes('json')) return undefined
  const extra = Object.keys(parseJson(body) ?? {}).filter((key) => !PROBLEM_KEYS.includes(key))
  return extra.length === 0 ? undefined : `the refusal also contains ${extra.join(', ')}`
}
