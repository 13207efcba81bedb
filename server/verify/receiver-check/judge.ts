import { formatSeconds, WEBHOOK_TIMEOUT_MS } from '../../domain/webhooks/limits.ts'
import type { Probe } from '../../contract/checks/check.ts'
import type { DiagnosticCode } from '../../domain/diagnostics/diagnostic.ts'
import type { CheckCase } from './check-case.ts'
import type { Judgement } from './failure.ts'
import type { ObservedState, StateSource } from './watch-order.ts'

/** The answer that a case expects, for people. */
export const expectedAnswer = {
  accepted: `a 2xx within ${formatSeconds(WEBHOOK_TIMEOUT_MS)}, no redirect and no web page`,
  tolerated: `an answer within ${formatSeconds(WEBHOOK_TIMEOUT_MS)}, no 5xx and no redirect`,
} as const satisfies Record<CheckCase['answer'], string>

/** Findings that do not fail a case. A slow answer still arrived in time. */
const HARMLESS = new Set<DiagnosticCode>(['receiverSlow'])

/** Returns what is wrong with an answer, or `undefined`. */
export function judgeAnswer(answer: CheckCase['answer'], probe: Probe): Judgement | undefined {
  const { status, error, findings } = probe
  const problem = answer === 'accepted' ? 'not-accepted' : 'not-refused'
  if (status === null) return { problem, seen: error ?? 'no answer' }
  const isComplete = error === null
  if (answer === 'tolerated' && ((status < 300 && isComplete) || (status >= 400 && status < 500)))
    return undefined
  const found = findings.find(({ code }) => !HARMLESS.has(code))
  return found && { problem, seen: found.seen }
}

/** The state of the order that a case expects at its end, for people. */
export const expectedOrder = {
  paid: 'the order is paid, once',
  'paid-once': 'the order is paid and fulfilled once',
  unpaid: 'the order is not paid',
  unchanged: 'the order is as it was after the refund',
} as const satisfies Record<NonNullable<CheckCase['finalOrder']>, string>

/** Returns how the state of an order has changed, or `undefined`. */
export function judgeChange(
  before: ObservedState,
  seen: ObservedState,
  { suffix }: Pick<StateSource, 'suffix'>,
): Judgement | undefined {
  for (const state of [before, seen]) if ('unknown' in state) return unreadable(state)
  if (describeState(before) === describeState(seen)) return undefined
  return {
    problem: 'changed-after-refund',
    seen: `the order was ${describeState(before)} after the refund, and is ${describeState(seen)} now${suffix}`,
  }
}

function describeState(state: ObservedState): string {
  if ('unknown' in state) return 'unknown'
  const isPaid = state.paid ? 'paid' : 'not paid'
  if (state.times === undefined) return isPaid
  return `${isPaid} and fulfilled ${state.times === 1 ? 'once' : `${state.times} times`}`
}

/** Returns what is wrong with the state of an order, or `undefined`. `wasPaid`: it was paid earlier in the case. */
export function judgeOrder(
  finalOrder: Exclude<CheckCase['finalOrder'], undefined | 'unchanged'>,
  seen: ObservedState,
  { timeoutMs, suffix }: StateSource,
  wasPaid = false,
): Judgement | undefined {
  if ('unknown' in seen) return unreadable(seen)
  if (finalOrder === 'unpaid') {
    return seen.paid ? { problem: 'paid-without-payment', seen: `the order was paid${suffix}` } : undefined
  }
  if (!seen.paid) {
    return wasPaid
      ? { problem: 'not-kept', seen: `the order was paid, and is no longer paid${suffix}` }
      : { problem: 'not-paid', seen: `the order was not paid within ${timeoutMs / 1000} s${suffix}` }
  }
  if (seen.times === undefined || seen.times === 1) return undefined
  if (seen.times === 0) {
    return {
      problem: 'not-fulfilled',
      seen: `the order is paid, and was not fulfilled within ${timeoutMs / 1000} s${suffix}`,
    }
  }
  return { problem: 'fulfilled-again', seen: `the order was fulfilled ${seen.times} times${suffix}` }
}

const unreadable = ({ unknown }: { readonly unknown: string }): Judgement => ({
  problem: 'unknown-state',
  seen: `the state of the order could not be read: ${unknown}`,
})
