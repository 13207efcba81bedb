import type { CheckCase } from './check-case.ts'
import type { DiagnosticCode } from '../domain/diagnostics/diagnostic.ts'
import type { Probe } from '../contract/check.ts'
import type { ObservedState, StateSource } from './watch-order.ts'

/** What an answer to each kind of webhook has to be. */
export const expectedAnswer = {
  accepted: 'a 2xx within 10 s, no redirect and no web page',
  tolerated: 'an answer within 10 s, no 5xx and no redirect',
} as const satisfies Record<CheckCase['answer'], string>

/** Slow is slow, but in time. */
const HARMLESS = new Set<DiagnosticCode>(['receiverSlow'])

/** What is wrong with an answer. `undefined` where nothing is. */
export function judgeAnswer(answer: CheckCase['answer'], probe: Probe): string | undefined {
  const { status, error, findings } = probe
  if (status === null) return error ?? 'no answer'
  if (answer === 'tolerated' && (status < 300 || (status >= 400 && status < 500))) return undefined
  return findings.find(({ code }) => !HARMLESS.has(code))?.seen
}

/** How each kind of case has to leave its order. */
export const expectedOrder = {
  paid: 'the order paid, once',
  'paid-once': 'the order paid, and fulfilled once',
  unpaid: 'the order not paid',
} as const satisfies Record<NonNullable<CheckCase['finalOrder']>, string>

/** What is wrong with how an order was left. `undefined` where nothing is. */
export function judgeOrder(
  finalOrder: NonNullable<CheckCase['finalOrder']>,
  seen: ObservedState,
  { patienceMs, suffix }: StateSource,
): string | undefined {
  if ('unknown' in seen) return `the state of the order could not be read: ${seen.unknown}`
  if (finalOrder === 'unpaid') return seen.paid ? `the order was paid${suffix}` : undefined
  if (!seen.paid) return `the order was not paid within ${patienceMs / 1000} s${suffix}`
  if (seen.times === undefined || seen.times === 1) return undefined
  return `the order was fulfilled ${seen.times} times${suffix}`
}
