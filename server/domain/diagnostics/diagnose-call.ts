import { maskSecret } from '../secrets/mask.ts'
import { nearestName } from '../text/closest-match.ts'
import { truncate } from '../text/truncate.ts'
import type { CallFacts } from './call-facts.ts'
import { diagnoseBody } from './diagnose-body.ts'
import { createDiagnostic, MAX_PER_CODE, type Diagnostic, type Overrides, type Report } from './diagnostic.ts'

/** Lists the mistakes in a call, including those that caused no error. */
export function diagnoseCall(facts: CallFacts): Diagnostic[] {
  const findings: Diagnostic[] = []
  const report: Report = (...finding) => void findings.push(createDiagnostic(...finding))
  diagnoseRequest(facts, report)
  if (facts.fields && facts.body) diagnoseBody(facts, facts.fields, facts.body, report)
  diagnoseOutcome(facts, report)
  return findings
}

/** Diagnoses the operation, the method, the key and the type of the body. */
function diagnoseRequest(facts: CallFacts, report: Report): void {
  const { method, operation, operations, token, key, keyHeader, mediaType, compression, body } = facts
  const isKnown = operations.includes(operation)
  if (!isKnown) {
    const name = truncate(operation, 100) || 'none'
    report('wrongOperation', `${name}${nearestName(operation, operations)}`)
  }
  if (isKnown && method !== 'POST') report('wrongMethod', method)
  if (token === '' && facts.hasAuthorization)
    report('keyInAuthorization', 'the header Authorization and no token')
  if (token === '' && keyHeader !== undefined)
    report('keyInOtherHeader', `the header ${keyHeader} and no token`)
  if (token !== '' && key === 'unknown') report('unknownKey', `the key ${maskSecret(token)}`)
  if (key === 'production') report('keyOfOtherEnvironment', 'the key of a production account')
  if (key === 'recipient-token') report('recipientTokenAsKey', 'a recipient token in the header token')
  if (isKnown && compression !== undefined)
    report('encodedBody', compression, body === undefined ? {} : NOT_COMPRESSED)
  if (isKnown && method === 'POST' && body === undefined && compression === undefined) {
    const { jsonError } = facts
    if (jsonError === undefined) report('notJson', mediaType || 'no Content-Type')
    else report('notJson', jsonError.message, jsonError.code === 'bodyNotObject' ? NOT_OBJECT : BROKEN_JSON)
  }
  if (facts.isForm && body !== undefined) report('formBody', mediaType)
}

/** Diagnoses the links that a call created or refers to. */
function diagnoseOutcome({ created, payments, body }: CallFacts, report: Report): void {
  if (created?.notifies === false)
    report('noWebhookTarget', 'no payment_endpoint, neither in the request nor in the account')
  if (created?.repeatedLinkId !== undefined)
    report('sameLinkTwice', `link ${created.repeatedLinkId} has the same fields`)
  for (const { payId } of payments.filter(({ isLinkId }) => isLinkId).slice(0, MAX_PER_CODE))
    report('linkIdAsPayId', `${payId} is the id of a link`)
  for (const { payId } of payments.filter(({ equalsId }) => equalsId).slice(0, MAX_PER_CODE))
    report('payIdEqualsId', `${payId} is both`)

  const isFull = body?.isFullRefund === true
  const refundAmount = body?.refund_amount
  if (refundAmount === undefined) return
  for (const { status, amount } of payments) {
    if (status === 'unused' || status === 'awaiting-transfer')
      report('refundBeforePayment', `the link is ${status}`)
    if (isFull && status === 'paid' && typeof refundAmount === 'number' && refundAmount !== amount)
      report('fullRefundAmount', `${refundAmount} of ${amount}`)
  }
}

const NOT_COMPRESSED: Overrides = {
  severity: 'warning',
  title: 'The header says that the body is compressed, but it is not',
  fix: 'Leave the header Content-Encoding out. A service that decompresses bodies would refuse this one.',
}

const BROKEN_JSON: Overrides = {
  title: 'The body cannot be read as JSON',
  expected: 'a JSON object',
  fix: 'Write the body with a JSON encoder. The Content-Type is right, but the body is not valid JSON.',
}

const NOT_OBJECT: Overrides = {
  title: 'The body is JSON, but not an object',
  expected: 'a JSON object, {} without fields',
  fix: 'Send the fields as an object: {"amount": 10}, or {} without fields. [] is an empty list. In PHP, json_encode([]) writes [], and json_encode((object) $fields) writes an object, or {} if $fields is empty.',
}
