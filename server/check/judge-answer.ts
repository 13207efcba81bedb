import type { DiagnosticCode } from '../domain/diagnostic.ts'
import type { Probe } from './bench.ts'
import type { CheckCase } from './check-case.ts'

/** What an answer to each kind of webhook has to be. */
export const expectedAnswer = {
  accepted: 'a 2xx within 10 s, no redirect and no web page',
  survived: 'an answer within 10 s, no 5xx and no redirect',
} as const satisfies Record<CheckCase['answers'], string>

/** Slow is slow, but in time. */
const HARMLESS = new Set<DiagnosticCode>(['receiverSlow'])

/** What is wrong with an answer. `undefined` where nothing is. */
export function judgeAnswer(answers: CheckCase['answers'], probe: Probe): string | undefined {
  const { status, error, findings } = probe
  if (status === null) return error ?? 'no answer'
  if (answers === 'survived' && (status < 300 || (status >= 400 && status < 500))) return undefined
  return findings.find(({ code }) => !HARMLESS.has(code))?.seen
}
