import { countKeptBytes, findHeader, type Exchange, type Response } from '../http/exchange.ts'
import type { ApiErrorCode } from './api-error.ts'
import { compareAnswers, type AnswerDifference } from './compare-answers.ts'
import { readEnvelope, responseCode } from './read-answer.ts'
import { readFields, type RequestFields } from './read-request.ts'

/** A call with the response of the service and the response of the sandbox. */
type AnsweredExchange = Pick<Exchange, 'request'> & {
  readonly response: Response
  readonly sandboxResponse: Response
}

/** Where the two responses differ, or why they cannot be compared. */
type Comparison =
  | { readonly differences: readonly AnswerDifference[] }
  | { readonly comparisonSkipped: string }

/**
 * Compares the responses of the service and of the sandbox. The service has payments and lists of addresses that the sandbox does
 * not know, so responses that depend on them may have different outcomes.
 */
export function compareExchange(
  operation: string,
  { request, response, sandboxResponse }: AnsweredExchange,
): Comparison {
  if (countKeptBytes(response.body) < response.body.size) {
    return { comparisonSkipped: 'The answer is too large to be compared.' }
  }
  const fields = readFields(request.body)
  const all = compareAnswers(sandboxResponse, response)
  const state = stateOf(operation, fields, sandboxResponse)
  if (all.length > 0 && state !== undefined && !hasSameOutcome(sandboxResponse, response)) {
    return { comparisonSkipped: `The answer depends on ${state} that only the real service knows.` }
  }
  const unknown = indexedPlaces(fields)
  return { differences: all.filter(({ place }) => !unknown.includes(place)) }
}

function hasSameOutcome(sandbox: Response, service: Response): boolean {
  const isAccepted = responseCode(sandbox) === 1
  if (isAccepted !== (responseCode(service) === 1)) return false
  return isAccepted || readEnvelope(sandbox)?.ResponseMsg === readEnvelope(service)?.ResponseMsg
}

/** Errors that depend on the state of a payment, not only on the call. */
const PAYMENT_ERRORS: ReadonlySet<string | undefined> = new Set<ApiErrorCode>([
  'linkUnknown',
  'linkCancelled',
  'refundRequested',
  'refundDisputed',
  'refundAmountInvalid',
  'noTarget',
  'resendUnpaid',
  'resendUncancelled',
])

/** The payments or lists whose state only the service knows, and on which the response depends. */
function stateOf(operation: string, fields: RequestFields, sandbox: Response): string | undefined {
  const isAccepted = responseCode(sandbox) === 1
  const error = findHeader(sandbox.headers, 'sandbox-error')
  const namesPayment = operation === 'refundPayment' || operation === 'sendWebhookViaPayId'
  if (namesPayment && (isAccepted || PAYMENT_ERRORS.has(error))) return 'a payment'
  return indexedPlaces(fields).length > 0 && (isAccepted || error === 'indexOutOfRange')
    ? 'a list of addresses'
    : undefined
}

/** The fields of a response whose values come from a list of the account, because the call contains an index into the list. */
function indexedPlaces({
  callback_url: callback,
  payment_endpoint: endpoint,
}: RequestFields): readonly string[] {
  return [
    ...(hasIndex(callback) ? ['data.callback_url'] : []),
    ...(hasIndex(endpoint) ? ['data.paymentEndpoint'] : []),
  ]
}

const hasIndex = (value: unknown): boolean => typeof value === 'string' && /(^|,)\s*\d+\s*(,|$)/.test(value)
