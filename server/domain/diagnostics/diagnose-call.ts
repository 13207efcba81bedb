import type { CallFacts } from './call-facts.ts'
import { diagnoseBody } from './diagnose-body.ts'
import { diagnoseOutcome } from './diagnose-outcome.ts'
import { diagnoseRequest } from './diagnose-request.ts'
import type { Diagnostic } from './diagnostic.ts'

/** Lists the mistakes in a call, including those that caused no error. */
export const diagnoseCall = (facts: CallFacts): Diagnostic[] => [
  ...diagnoseRequest(facts),
  ...(facts.fields && facts.body ? diagnoseBody(facts, facts.fields, facts.body) : []),
  ...diagnoseOutcome(facts),
]
