import type { ApiErrorCode } from '../../../domain/api/api-error.ts'
import { countKeptBytes, type Response } from '../../../domain/http/exchange.ts'
import { truncate } from '../../../domain/text/truncate.ts'
import { compareAnswers } from '../../../domain/api/compare-answers.ts'
import type { Call } from '../call.ts'
import type { SandboxAnswer } from './answer-in-sandbox.ts'
import type { Verdict } from './answered-call.ts'
import { readFields } from './read-fields.ts'

/** The differences, or why the two answers cannot be compared. */
export type Comparison = { readonly differences: readonly string[] } | { readonly notCompared: string }

const MAX_DIFFERENCES = 20
const MAX_LENGTH = 500

/**
 * Compares the answer of a real environment with the sandbox's own, by their shape. The environment has payments and lists
 * of addresses that the sandbox does not know. If the answers depend on them and have different outcomes, that is no
 * difference.
 */
export function compareWithSandbox(
  call: Call,
  response: Response,
  { code, message }: Verdict,
  sandbox: SandboxAnswer,
): Comparison {
  if (countKeptBytes(response.body) < response.body.size) {
    return { notCompared: 'The answer is too large to be compared.' }
  }
  const all = compareAnswers(sandbox.response, response)
  const { ResponseCode, ResponseMsg } = sandbox.result.envelope
  const isSameOutcome = code === ResponseCode && (code === 1 || message === ResponseMsg)
  const state = stateOf(call, sandbox)
  if (all.length > 0 && state !== undefined && !isSameOutcome) {
    return { notCompared: `The answer depends on ${state} that only the real environment knows.` }
  }
  const differences = all.filter(({ place }) => !indexedPlaces(call).includes(place))
  const shown = differences.slice(0, MAX_DIFFERENCES).map(({ text }) => truncate(text, MAX_LENGTH))
  const more = differences.length - shown.length
  return { differences: more === 0 ? shown : [...shown, `${more} more differences are not listed.`] }
}

/** The errors that depend on a payment, and not on the call alone. */
const PAYMENT_ERRORS: ReadonlySet<ApiErrorCode | undefined> = new Set<ApiErrorCode>([
  'linkUnknown',
  'linkCancelled',
  'refundRequested',
  'refundDisputed',
  'refundAmountInvalid',
  'noTarget',
  'resendUnpaid',
  'resendUncancelled',
])

/** What the sandbox's answer depends on, although only the real environment knows its true state. */
function stateOf(call: Call, { result: { errorCode, success } }: SandboxAnswer): string | undefined {
  const namesPayment = call.operation === 'refundPayment' || call.operation === 'sendWebhookViaPayId'
  if (namesPayment && (success !== undefined || PAYMENT_ERRORS.has(errorCode))) return 'a payment'
  return indexedPlaces(call).length > 0 && (success !== undefined || errorCode === 'indexOutOfRange')
    ? 'a list of addresses'
    : undefined
}

/** The fields of an answer whose value comes from a list of the account, because the call names an index. */
function indexedPlaces({ body }: Call): readonly string[] {
  const { callback_url: callback, payment_endpoint: endpoint } = readFields(body)
  return [
    ...(hasIndex(callback) ? ['data.callback_url'] : []),
    ...(hasIndex(endpoint) ? ['data.paymentEndpoint'] : []),
  ]
}

const hasIndex = (given: unknown): boolean => typeof given === 'string' && /(^|,)\s*\d+\s*(,|$)/.test(given)
