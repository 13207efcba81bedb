import { isRejectedByNode } from './rejected-by-node.js'

/**
 * @typedef {import('./http-request.js').Request} Request
 * @typedef {import('./send.js').Answer} Answer
 * @typedef {import('./document-checker.js').Checked} Checked
 */

/** What the sandbox says where it failed itself, by whatever door. */
const INTERNAL_ERROR = /The sandbox failed/
/** How a tunnel says that its listener failed, was late or forgotten, and that it leads to itself. */
const TUNNEL_STATUSES = [502, 503, 504, 508]

/**
 * What is wrong with an answer. `undefined` where nothing is.
 *
 * @param {Request} request
 * @param {Answer} answer
 * @param {{ api: Checked, control: Checked }} documents
 * @param {object} state
 * @param {boolean} state.faulty whether calls were asked to go wrong
 * @param {import('./configured-failures.js').ToldFailures} state.told
 * @returns {string | undefined}
 */
export function judgeAnswer(request, answer, documents, { faulty, told }) {
  const { status, headers, body, isWhole, raw, hung, ms } = answer
  if (hung) return `no answer within ${Math.round(ms)} ms`
  const path = pathOf(request.target)
  const isApi = path.startsWith('/api/v2/')
  if (status === null) {
    if (!request.isSound || (isApi && faulty)) return undefined
    return raw.length === 0 ? 'the connection was closed without an answer' : 'the answer is no HTTP'
  }
  const text = body.toString()
  if (status >= 500 && INTERNAL_ERROR.test(text)) return `answered ${status}: ${text.trim().slice(0, 300)}`
  const isAsked = path.startsWith('/tunnel/')
    ? TUNNEL_STATUSES.includes(status) || told.has(path, status)
    : isApi && faulty
  if (!request.isSound) return status >= 500 && !isAsked ? `answered ${status} to broken HTTP` : undefined
  if (headers['content-type'] === undefined && isRejectedByNode(request, status)) return undefined
  if (isApi && faulty) return undefined
  if (!isWhole && !/export\.har|report|\/file|seed/.test(request.target)) return 'the answer broke off'
  if (status >= 500 && !isAsked) return `answered ${status}: ${text.slice(0, 300)}`
  if (request.door === 'tunnel') return undefined
  if (headers['x-content-type-options'] !== 'nosniff') return 'the answer has no X-Content-Type-Options'
  if (
    /text\/html/.test(headers['content-type'] ?? '') &&
    !headers['content-security-policy'] &&
    // A file to keep has its own inside.
    !headers['content-disposition'] &&
    status !== 404
  ) {
    return 'a page without Content-Security-Policy'
  }
  if (request.method === 'HEAD') return undefined
  if (isApi) return judgeEnvelope(request, answer, documents.api)
  if (request.door === 'control' && isPlainPath(request.target))
    return judgeControl(request, answer, documents.control)
  return undefined
}

/** Where a target leads: its path without dots. */
const pathOf = (/** @type {string} */ target) =>
  URL.canParse(target, 'http://127.0.0.1') ? new URL(target, 'http://127.0.0.1').pathname : target

/** Whether a path means what is written. */
const isPlainPath = (/** @type {string} */ target) => /^(\/[\w:=@-][\w.:=@-]*)+(\?|$)/.test(target)

/**
 * @param {Request} request
 * @param {Answer} answer
 * @param {Checked} document
 */
function judgeEnvelope({ method, target }, { status, body }, document) {
  const envelope = parseJson(body)
  if (envelope === undefined) return `the answer is no envelope: ${body.toString().slice(0, 200)}`
  const { ResponseCode: code, ResponseMsg: message, Result: result, ServerTime: time, data } = envelope
  const isWell =
    ((code === 1 && result === 'True') || (code === 0 && result === 'False' && data === undefined)) &&
    typeof message === 'string' &&
    message !== '' &&
    /^CES?T$/.test(String(time))
  if (!isWell) return `the envelope is malformed: ${JSON.stringify(envelope).slice(0, 200)}`
  const path = target.split('?', 1)[0] ?? ''
  const { responses } = document.document.paths[path]?.post ?? {}
  if (method !== 'POST' || responses === undefined) return undefined
  if (responses[String(status)] === undefined) {
    return `POST ${path} ${status}: of this status the document tells nothing`
  }
  const place = ['paths', path, 'post', 'responses', String(status), 'content', 'application/json', 'schema']
  return documentProblems(document, envelope, place, `POST ${path} ${status}`)
}

/**
 * @param {Request} request
 * @param {Answer} answer
 * @param {Checked} document
 */
function judgeControl({ method, target }, { status, headers, body }, document) {
  const asked = target.split('?', 1)[0] ?? ''
  const found = document.operationAt(method, asked)
  const type = headers['content-type'] ?? ''
  if (found === undefined)
    return Number(status) < 400 && Number(status) !== 304
      ? `answered ${status}, and is in no document`
      : undefined
  const { path, operation } = found
  // A document of documents is not closed.
  if (/openapi\.json$|\/seed\/schema$/.test(path)) return undefined
  const what = `${method} ${path} ${status}`
  if (operation.responses[String(status)] === undefined)
    return `${what}: of this status the document tells nothing`
  if (!/json/.test(type)) return undefined
  const told = parseJson(body)
  if (told === undefined) return `${what}: the answer is no JSON`
  const [mediaType] = Object.keys(operation.responses[String(status)]?.content ?? {})
  if (mediaType === undefined) return undefined
  return documentProblems(
    document,
    told,
    [...found.place, 'responses', String(status), 'content', mediaType, 'schema'],
    what,
  )
}

/**
 * @param {Checked} document
 * @param {unknown} value
 * @param {string[]} place
 * @param {string} what
 */
function documentProblems(document, value, place, what) {
  const problems = document.problemsOf(value, ...place)
  return problems.length === 0
    ? undefined
    : `${what}: otherwise than its document says: ${problems.join('; ')}`
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
