import { expect, test } from 'vitest'
import { documents } from '../support/documents.ts'
import { ADMIN_TOKEN, expectFailures, findProblem, findRefusalProblem, type Expected } from './oracle.ts'
import { KEY, type FuzzRequest } from './request.ts'
import { parseResponse, type Answer } from './send.ts'

const CALL = requestTo('POST', '/api/v2/createLink')
const PAGE = requestTo('GET', '/docs')
const INFO = requestTo('GET', '/_sandbox/v1/info')
const TUNNEL = requestTo('POST', '/tunnel/fuzz')

function requestTo(method: string, target: string, body = ''): FuzzRequest {
  const entryPoint = ({ api: 'api', _sandbox: 'control', tunnel: 'tunnel' } as const)[target.split('/')[1]!]
  return {
    entryPoint: entryPoint ?? 'pages',
    method,
    target,
    headers: [['Host', '127.0.0.1']],
    body: Buffer.from(body),
    isWellFormed: true,
    parts: [],
  }
}

/** An answer with these header lines and this body. */
function answerOf(status: number, headers: readonly string[] = [], body = ''): Answer {
  const lines = [`Content-Length: ${Buffer.byteLength(body)}`, ...headers]
  const raw = Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  return { ...parseResponse(raw, 'POST'), raw, hasTimedOut: false }
}

const JSON_HEADERS = ['Content-Type: application/json', 'X-Content-Type-Options: nosniff']
const HTML_HEADERS = ['Content-Type: text/html', 'X-Content-Type-Options: nosniff']
const REFUSAL = { ResponseCode: 0, ResponseMsg: 'amount is required', Result: 'False', ServerTime: 'CET' }
const NOTHING: Expected = { hasFaults: false, tunnelAnswers: new Set() }
const jsonOf = (status: number, value: unknown) => answerOf(status, JSON_HEADERS, JSON.stringify(value))

const problemOf = async (request: FuzzRequest, answer: Answer, expected = NOTHING) =>
  findProblem(request, answer, await documents(), expected)

test.for<[what: string, problem: string, request: FuzzRequest, answer: Answer]>([
  ['no answer in time', 'there was no answer', CALL, { ...answerOf(200), hasTimedOut: true }],
  [
    'a closed connection',
    'closed without an answer',
    CALL,
    { ...answerOf(200), status: null, raw: Buffer.alloc(0) },
  ],
  ['an answer that is not HTTP', 'is not HTTP', CALL, { ...answerOf(200), status: null }],
  [
    'an internal error',
    'answered 500: The sandbox failed',
    TUNNEL,
    answerOf(500, [], 'The sandbox failed: x'),
  ],
  ['a 5xx', 'answered 503', PAGE, answerOf(503)],
  ['a 5xx to malformed HTTP', 'to malformed HTTP', { ...CALL, isWellFormed: false }, answerOf(500)],
  ['a 500 of a tunnel that nobody configured', 'answered 500', TUNNEL, answerOf(500)],
  ['an answer that breaks off', 'broke off', CALL, { ...jsonOf(200, REFUSAL), isComplete: false }],
  ['a missing X-Content-Type-Options', 'X-Content-Type-Options', CALL, answerOf(400)],
  ['a page without a policy', 'Content-Security-Policy', PAGE, answerOf(200, HTML_HEADERS)],
  ['a call without an envelope', 'not an envelope', CALL, answerOf(200, JSON_HEADERS, 'x')],
  ['a malformed envelope', 'malformed', CALL, jsonOf(200, { ...REFUSAL, ServerTime: 'UTC' })],
  [
    'an unknown field of an envelope',
    'differs from the document',
    CALL,
    jsonOf(200, { ...REFUSAL, more: 1 }),
  ],
  ['a status of a call that is not documented', 'the status is not in', CALL, jsonOf(418, REFUSAL)],
  [
    'a route that is not documented',
    'not in the document',
    requestTo('GET', '/_sandbox/v1/no'),
    jsonOf(200, {}),
  ],
  ['a status of a route that is not documented', 'the status is not in', INFO, jsonOf(418, {})],
  ['another answer of a route than documented', 'differs from the document', INFO, jsonOf(200, {})],
])('the fuzzer reports %s', async ([, problem, request, answer]) => {
  expect(await problemOf(request, answer)).toContain(problem)
})

test.for<[what: string, request: FuzzRequest, answer: Answer, before?: FuzzRequest]>([
  ['a refusal', CALL, jsonOf(200, REFUSAL)],
  ['what Node answers to an unknown method', { ...CALL, method: 'FOO' }, answerOf(400)],
  ['a tunnel whose listener failed', TUNNEL, answerOf(502)],
  [
    'the answer that was configured for a tunnel',
    TUNNEL,
    answerOf(500),
    requestTo('PUT', '/_sandbox/v1/tunnels/fuzz/answer', '{"status":500}'),
  ],
  [
    'any answer of the API while there are faults',
    CALL,
    answerOf(500),
    requestTo('POST', '/_sandbox/v1/faults'),
  ],
])('the fuzzer accepts %s', async ([, request, answer, before]) => {
  const expected: Expected = { hasFaults: false, tunnelAnswers: new Set() }
  if (before !== undefined) expectFailures(before, expected)
  expect(await problemOf(request, answer, expected)).toBeUndefined()
})

const PROBLEM = { type: 'about:blank', title: 'Unauthorized', status: 401, detail: 'x' }

test.for<[what: string, problem: string, answer: Answer]>([
  ['no answer', 'there was no answer', { ...answerOf(401), hasTimedOut: true }],
  ['an API key', 'contains a key', jsonOf(401, { ...PROBLEM, detail: KEY })],
  ['the token', 'contains a key', jsonOf(401, { ...PROBLEM, detail: ADMIN_TOKEN })],
  ['a success', 'answered 200', jsonOf(200, {})],
  ['another refusal', 'answered 404 instead of 401', jsonOf(404, PROBLEM)],
  ['more than the problem', 'also contains accounts', jsonOf(401, { ...PROBLEM, accounts: 4 })],
])('the fuzzer reports %s as the answer to a request without the admin token', ([, problem, answer]) => {
  expect(findRefusalProblem(INFO, answer)).toContain(problem)
})

test('the fuzzer accepts that a request without the admin token is refused', () => {
  expect(findRefusalProblem(INFO, jsonOf(401, PROBLEM))).toBeUndefined()
})
