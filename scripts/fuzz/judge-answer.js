import { isRejectedByNode } from './rejected-by-node.js'

/**
 * @typedef {import('./http-request.js').Request} Request
 * @typedef {import('./send.js').Answer} Answer
 * @typedef {import('./document-checker.js').DocumentChecker} DocumentChecker
 */

/** The text of an internal error, on every entry point. */
const INTERNAL_ERROR = /The sandbox failed/
/** A tunnel answers with these if its listener fails, is late or was removed, or if tunnels form a loop. */
const TUNNEL_STATUSES = [502, 503, 504, 508]

/**
 * Returns what is wrong with an answer, or `undefined`.
 *
 * @param {Request} request
 * @param {Answer} answer
 * @param {{ api: DocumentChecker, control: DocumentChecker }} documents
 * @param {object} state
 * @param {boolean} state.hasFaults whether faults affect API calls
 * @param {import('./configured-failures.js').ConfiguredFailures} state.configuredFailures
 * @returns {string | undefined}
 */
export function judgeAnswer(request, answer, documents, { hasFaults, configuredFailures }) {
  const { status, headers, body, isComplete, raw, hasTimedOut, ms } = answer
  if (hasTimedOut) return `no answer within ${Math.round(ms)} ms`
  const path = pathOf(request.target)
  const isApi = path.startsWith('/api/v2/')
  if (status === null) {
    if (!request.isWellFormed || (isApi && hasFaults)) return undefined
    return raw.length === 0 ? 'the connection was closed without an answer' : 'the answer is not HTTP'
  }
  const text = body.toString()
  if (status >= 500 && INTERNAL_ERROR.test(text)) return `answered ${status}: ${text.trim().slice(0, 300)}`
  const isExpected = path.startsWith('/tunnel/')
    ? TUNNEL_STATUSES.includes(status) || configuredFailures.has(path, status)
    : isApi && hasFaults
  if (!request.isWellFormed)
    return status >= 500 && !isExpected ? `answered ${status} to malformed HTTP` : undefined
  if (headers['content-type'] === undefined && isRejectedByNode(request, status)) return undefined
  if (isApi && hasFaults) return undefined
  if (!isComplete && !/export\.har|report|\/file|seed/.test(request.target)) return 'the answer broke off'
  if (status >= 500 && !isExpected) return `answered ${status}: ${text.slice(0, 300)}`
  if (request.entryPoint === 'tunnel') return undefined
  if (headers['x-content-type-options'] !== 'nosniff') return 'the answer has no X-Content-Type-Options'
  if (
    /text\/html/.test(headers['content-type'] ?? '') &&
    !headers['content-security-policy'] &&
    // A downloaded file contains its own policy.
    !headers['content-disposition'] &&
    status !== 404
  ) {
    return 'a page without Content-Security-Policy'
  }
  if (request.method === 'HEAD') return undefined
  if (isApi) return judgeEnvelope(request, answer, documents.api)
  if (request.entryPoint === 'control' && isPlainPath(request.target))
    return judgeControl(request, answer, documents.control)
  return undefined
}

/** Returns the path of a target, with dot segments resolved. */
const pathOf = (/** @type {string} */ target) =>
  URL.canParse(target, 'http://127.0.0.1') ? new URL(target, 'http://127.0.0.1').pathname : target

/** Returns whether a path has no escapes, dot segments or empty segments. */
const isPlainPath = (/** @type {string} */ target) => /^(\/[\w:=@-][\w.:=@-]*)+(\?|$)/.test(target)

/**
 * @param {Request} request
 * @param {Answer} answer
 * @param {DocumentChecker} document
 */
function judgeEnvelope({ method, target }, { status, body }, document) {
  const envelope = parseJson(body)
  if (envelope === undefined) return `the answer is not an envelope: ${body.toString().slice(0, 200)}`
  const { ResponseCode: code, ResponseMsg: message, Result: result, ServerTime: time, data } = envelope
  const isValid =
    ((code === 1 && result === 'True') || (code === 0 && result === 'False' && data === undefined)) &&
    typeof message === 'string' &&
    message !== '' &&
    /^CES?T$/.test(String(time))
  if (!isValid) return `the envelope is malformed: ${JSON.stringify(envelope).slice(0, 200)}`
  const path = target.split('?', 1)[0] ?? ''
  const { responses } = document.document.paths[path]?.post ?? {}
  if (method !== 'POST' || responses === undefined) return undefined
  if (responses[String(status)] === undefined) {
    return `POST ${path} ${status}: the status is not in the document`
  }
  const place = ['paths', path, 'post', 'responses', String(status), 'content', 'application/json', 'schema']
  return documentProblems(document, envelope, place, `POST ${path} ${status}`)
}

/**
 * @param {Request} request
 * @param {Answer} answer
 * @param {DocumentChecker} document
 */
function judgeControl({ method, target }, { status, headers, body }, document) {
  const asked = target.split('?', 1)[0] ?? ''
  const found = document.operationAt(method, asked)
  const type = headers['content-type'] ?? ''
  if (found === undefined)
    return Number(status) < 400 && Number(status) !== 304
      ? `answered ${status}, but is not in the document`
      : undefined
  const { path, operation } = found
  // An answer that is a document itself has no closed schema.
  if (/openapi\.json$|\/seed\/schema$/.test(path)) return undefined
  const what = `${method} ${path} ${status}`
  if (operation.responses[String(status)] === undefined) return `${what}: the status is not in the document`
  if (!/json/.test(type)) return undefined
  const value = parseJson(body)
  if (value === undefined) return `${what}: the answer is not JSON`
  const [mediaType] = Object.keys(operation.responses[String(status)]?.content ?? {})
  if (mediaType === undefined) return undefined
  return documentProblems(
    document,
    value,
    [...found.place, 'responses', String(status), 'content', mediaType, 'schema'],
    what,
  )
}

/**
 * @param {DocumentChecker} document
 * @param {unknown} value
 * @param {string[]} place
 * @param {string} what
 */
function documentProblems(document, value, place, what) {
  const problems = document.problemsOf(value, ...place)
  return problems.length === 0 ? undefined : `${what}: differs from the document: ${problems.join('; ')}`
}

/**
 * @param {Buffer} body
 * @returns {Record<string, unknown> | undefined}
 */
function parseJson(body) {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
