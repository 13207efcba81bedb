import { formatSeconds, WEBHOOK_TIMEOUT_MS } from '../../../domain/webhooks/limits.ts'
import type { Probe } from '../../../contract/checks/check.ts'
import type { DiagnosticCode } from '../../../domain/diagnostics/diagnostic.ts'
import { decodeBody, findHeader } from '../../../domain/http/exchange.ts'
import { shortResponseText } from '../../../domain/webhooks/response-facts.ts'
import { type CommonProblem, late, type SeenProblem } from '../run/failure.ts'
import { type Count, type ReadState, SOLE_COUNT } from './read-order-state.ts'
import type { ObservedState, StateSource, UnknownState } from './watch-order.ts'
import type { ExpectedAnswer, FinalOrder } from '../webhooks/webhook-variant.ts'

/** The response that a case expects, for people. */
export const expectedAnswer = {
  accepted: `a 2xx within ${formatSeconds(WEBHOOK_TIMEOUT_MS)}, and no redirect`,
  tolerated: `an answer within ${formatSeconds(WEBHOOK_TIMEOUT_MS)}, no 5xx and no redirect`,
} as const satisfies Record<ExpectedAnswer, string>

/** Findings that do not fail a case: a slow answer has still arrived in time, and a container reaches its host in this way. */
const HARMLESS = new Set<DiagnosticCode>(['receiverSlow', 'containerHost'])

/**
 * Returns what is wrong with a response, or `undefined`. A web page is no failure if the state of the order proves that the
 * webhook was handled.
 */
export function checkAnswer(
  answer: ExpectedAnswer,
  probe: Probe,
  { isStateKnown }: { readonly isStateKnown: boolean },
): SeenProblem | undefined {
  const { status, error, errorCode, findings, exchange } = probe
  const problem = answer === 'accepted' ? 'not-accepted' : 'not-refused'
  if (status === null) return { problem, seen: error ?? 'no answer', ...late(errorCode === 'timeout') }
  const isComplete = error === null
  if (isStateKnown && status >= 200 && status < 300 && isComplete) return undefined
  if (answer === 'tolerated' && ((status < 300 && isComplete) || (status >= 400 && status < 500)))
    return undefined
  const finding = findings.find(({ code }) => !HARMLESS.has(code))
  if (finding === undefined) return undefined
  const { headers, body } = exchange.response!
  const text = shortResponseText({ responseBody: decodeBody(body) })
  const cause = [finding.code, status, error, findHeader(headers, 'location'), text].join(' ')
  return { problem, seen: `the app answered ${finding.seen}`, cause }
}

/** Whether an app may respond to a copy like this while it handles a different copy. */
export const isBusy = ({ status }: Probe): boolean =>
  status !== null && [409, 423, 425, 429, 503].includes(status)

/** Whether the app's server did not accept the connection, which can happen if many connections arrive at the same moment. */
export const isUnaccepted = ({ errorCode }: Probe): boolean =>
  errorCode === 'connectionClosed' || errorCode === 'connectionRefused'

/** Whether the app, or a server in front of it, says that it gets too many requests. */
export const isOverloaded = ({ status }: Pick<Probe, 'status'>): boolean => status === 429 || status === 503

/** The state of the order that a case expects at its end, for people. */
export const expectedOrder = {
  paid: 'the order is paid once',
  'paid-once': 'the order is paid and fulfilled once',
  unpaid: 'the order is neither paid nor fulfilled',
  unchanged: 'the order is as it was after the refund',
} as const satisfies Record<FinalOrder, string>

/** Returns how the state of an order has changed, or `undefined`. */
export function checkChange(
  before: ObservedState,
  seen: ObservedState,
  { suffix }: Pick<StateSource, 'suffix'>,
): SeenProblem | undefined {
  if ('unknown' in before) return unreadableOrder(before)
  if ('unknown' in seen) return unreadableOrder(seen)
  const now = describeState(seen)
  const changes = describeState(before).flatMap((was, index) =>
    was === now[index] ? [] : [[was, now[index]] as const],
  )
  // Mentions the app's own word for the state only if nothing else has changed. A paid order may change from one paid state to
  // another, like `paid` to `shipped`.
  const isPaidStill = before.paid && seen.paid
  if (changes.length === 0 && before.value !== seen.value && !isPaidStill)
    changes.push([before.value ?? 'unnamed', seen.value])
  if (changes.length === 0) return undefined
  // Two changes are enough to find the cause.
  const first = changes.slice(0, 2)
  const was = first.map(([earlier]) => earlier).join(' and ')
  const is = first.map(([, later]) => later).join(' and ')
  return {
    problem: 'changed-after-refund',
    seen: `the order was ${was} after the refund, and is ${is} now${suffix}`,
  }
}

/** Whether an order is paid, and each count, in words. */
const describeState = ({ paid, counts }: ReadState): string[] => [
  paid ? 'paid' : 'not paid',
  ...counts.map(describeCount),
]

const describeCount = ({ name, value }: Count): string =>
  name === SOLE_COUNT ? `fulfilled ${timesText(value)}` : `with ${value} at ${name}`

/** `the order was fulfilled 2 times`, or `/emails went up by 2, and /stock by 3` */
const describeRise = (counts: readonly Count[]): string =>
  counts
    .map(({ name, value }, index) =>
      name === SOLE_COUNT
        ? `the order was fulfilled ${timesText(value)}`
        : `${name}${index === 0 ? ' went up' : ''} by ${value}`,
    )
    .join(', and ')

const timesText = (times: number): string => (times === 1 ? 'once' : `${times} times`)

/**
 * Returns what is wrong with the state of an order, or `undefined`. `wasPaid` means that the order was paid earlier in the
 * case.
 */
export function checkFinalOrder(
  finalOrder: Exclude<FinalOrder, 'unchanged'>,
  seen: ObservedState,
  { timeoutMs, suffix }: StateSource,
  wasPaid = false,
): SeenProblem<CommonProblem> | undefined {
  if ('unknown' in seen) return unreadableOrder(seen)
  const raised = seen.counts.filter(({ value }) => value > (finalOrder === 'unpaid' ? 0 : 1))
  if (finalOrder === 'unpaid') {
    if (seen.paid)
      return { problem: 'paid-without-payment', seen: `the order is paid instead of unpaid${suffix}` }
    if (raised.length === 0) return undefined
    const seenRise = `${describeRise(raised)}, although the order is not paid${suffix}`
    return { problem: 'fulfilled-without-payment', seen: seenRise }
  }
  const [first] = raised
  if (first !== undefined) {
    const instead = first.name === SOLE_COUNT ? 'instead of once' : 'instead of 1'
    return { problem: 'fulfilled-again', seen: `${describeRise(raised)} ${instead}${suffix}` }
  }
  if (!seen.paid) {
    const named = seen.value === undefined ? '' : `, its state is ${JSON.stringify(seen.value)}`
    return wasPaid
      ? { problem: 'not-kept', seen: `the order was paid, and is no longer paid${named}${suffix}` }
      : {
          problem: 'not-paid',
          seen: `the order was not paid within ${timeoutMs / 1000} s${named}${suffix}`,
        }
  }
  const missing = seen.counts.find(({ value }) => value < 1)
  if (missing === undefined) return undefined
  const { highest = 0 } = missing
  if (highest > 0) {
    const count = missing.name === SOLE_COUNT ? 'the count of its fulfillments' : missing.name
    return {
      problem: 'taken-back',
      seen: `the order is paid, and ${count} went up by ${highest}, and then down again to ${missing.value}${suffix}`,
    }
  }
  const what = missing.name === SOLE_COUNT ? 'was not fulfilled' : `${missing.name} did not go up`
  const number = missing.name === SOLE_COUNT ? 'this number' : missing.name
  const advice = suffix === '' ? '' : `. If a payment does not raise ${number}, correct --count-pointer`
  return {
    problem: 'not-fulfilled',
    seen: `the order is paid, and ${what} within ${timeoutMs / 1000} s${suffix}${advice}`,
  }
}

export const unreadableOrder = ({ unknown, isLate }: UnknownState): SeenProblem<CommonProblem> => ({
  problem: 'unknown-state',
  seen: `the state of the order could not be read: ${unknown}`,
  ...late(isLate),
})
