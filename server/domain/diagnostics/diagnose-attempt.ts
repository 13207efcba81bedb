import { quoteText } from '../text/quote-text.ts'
import { findHeader } from '../http/exchange.ts'
import { SLOW_ANSWER_MS } from '../webhooks/limits.ts'
import type { Attempt, Delivery } from '../webhooks/delivery.ts'
import { isSuccessful } from '../webhooks/delivery.ts'
import { readBodyStart, responseFacts, shortResponseText } from '../webhooks/response-facts.ts'
import { createDiagnostic, type Diagnostic, type DiagnosticCode } from './diagnostic.ts'
import { truncate } from '../text/truncate.ts'
import { isTlsProblemCode, tlsRemedies } from '../network/tls-problem.ts'
import { isLoopback } from '../network/loopback.ts'

const TIMED_OUT = {
  severity: 'error',
  title: 'The receiver did not answer in time',
  fix: 'Store the webhook, answer, and then do the work. If the request never arrived, compare the host and port of your app with those of the target.',
} as const

/** A server that expects https closes the connection without a response if it gets a plain HTTP request. */
const CLOSED = {
  title: 'The receiver closed the connection',
  fix: "Read your app's log. If it serves https at this port, write https:// in the target.",
} as const

/** Finds problems of a receiver from its response to a webhook. */
export function diagnoseAttempt(
  { contentType, target }: Pick<Delivery, 'contentType' | 'target'>,
  attempt: Attempt,
  isInContainer: boolean,
): Diagnostic[] {
  const { status, error, errorCode, ms } = attempt
  const diagnosticFor = (
    code: DiagnosticCode,
    seen: string,
    overrides: Parameters<typeof createDiagnostic>[2] = {},
  ) => createDiagnostic(code, `${seen}, from ${target}`, overrides)
  if (status === null) {
    if (error === null) return []
    if (errorCode === 'timeout') return [diagnosticFor('receiverSlow', error, TIMED_OUT)]
    if (isTlsProblemCode(errorCode))
      return [diagnosticFor('receiverTls', error, { fix: tlsRemedies[errorCode] })]
    if (errorCode === 'connectionClosed' && target.startsWith('http:'))
      return [diagnosticFor('receiverGone', error, CLOSED)]
    const isContainer = isInContainer && errorCode === 'connectionRefused' && isLoopback(target)
    return [diagnosticFor(isContainer ? 'containerLocalhost' : 'receiverGone', error)]
  }

  const findings: Diagnostic[] = []
  if (attempt.via !== undefined) findings.push(diagnosticFor('containerHost', `it went to ${attempt.via}`))
  if (status >= 300 && status < 400) {
    findings.push(
      diagnosticFor(
        'receiverRedirected',
        `${status} to ${findHeader(attempt.responseHeaders, 'location') ?? 'nowhere'}`,
      ),
    )
  } else if (wantsJson(contentType, attempt))
    findings.push(diagnosticFor('receiverWantsJson', describeAnswer(attempt)))
  else if (!isSuccessful(attempt))
    findings.push(diagnosticFor('receiverRefused', describeAnswer(attempt), remedyOf(attempt)))
  else if (isPage(attempt)) findings.push(diagnosticFor('receiverShowedPage', describeAnswer(attempt)))
  if (error !== null && isSuccessful(attempt))
    findings.push(diagnosticFor('receiverUnfinished', `${status}, but ${error}`))
  // If a tunnel stored the webhook, it responded for the app, which has not seen the webhook.
  else if (ms > SLOW_ANSWER_MS && attempt.storedIn === undefined)
    findings.push(diagnosticFor('receiverSlow', `${(ms / 1000).toFixed(1)} s`))
  return findings
}

/** Whether a receiver refused a form because it expects JSON: it responded with 415, or with an error that mentions JSON. */
function wantsJson(contentType: string, attempt: Attempt): boolean {
  if (!contentType.startsWith('application/x-www-form-urlencoded')) return false
  if (attempt.status === 415) return true
  if (attempt.status !== 400 && attempt.status !== 422 && attempt.status !== 500) return false
  return /json|unexpected token|unsupported media/i.test(readBodyStart(attempt))
}

/** Many frameworks send a plain "ok" as text/html, so a response counts as a page only if it contains markup. */
const isPage = (attempt: Attempt): boolean =>
  /^text\/html\b/i.test(findHeader(attempt.responseHeaders, 'content-type') ?? '') &&
  MARKUP.test(readBodyStart(attempt))

/** A tag, a comment or a doctype of HTML. */
const MARKUP = /<(!--|!doctype\s|\/?[a-z][a-z\d-]*[\s/>])/i

/** What to do about the exception that an answer shows. */
function remedyOf(attempt: Attempt): { readonly fix?: string } {
  const { errorName, errorPlace } = responseFacts(attempt)
  const what = errorName ?? 'exception'
  const fix =
    errorPlace === undefined
      ? errorName && `Find the ${what} in your app's log, and mend its cause.`
      : `Mend the ${what} at ${errorPlace}.`
  return fix === undefined ? {} : { fix }
}

/** `200 "ok" (text/html; charset=utf-8)` */
function describeAnswer(attempt: Attempt): string {
  const text = shortResponseText(attempt)
  const body = text === '' ? '' : ` ${quoteText(text)}`
  const type = findHeader(attempt.responseHeaders, 'content-type')
  return `${attempt.status}${body}${type === undefined ? '' : ` (${truncate(type, 100)})`}`
}
