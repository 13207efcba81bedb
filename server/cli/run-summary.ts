import type { RunReport } from '../domain/events/run-report.ts'

/** What a run rested on and never touched, in lines for people. */
export function runText({ openPoints, operations, refusals, outcomes }: RunReport): string[] {
  if (!operations.some(isTouched)) {
    return ['The API of the sandbox was never called. The command finds its address in PAYLINK_URL.']
  }
  const points = openPoints.map(({ name }) => name)
  const refused = refusals.filter(isTouched).length
  const never = [
    ...few(operations.flatMap((operation) => (isTouched(operation) ? [] : operation.name))),
    ...(refused === refusals.length
      ? []
      : [`${refusals.length - refused} of ${refusals.length} documented refusals`]),
    ...few(outcomes.flatMap((outcome) => (isTouched(outcome) ? [] : outcome.text))),
  ]
  return [
    ...(points.length === 0
      ? []
      : [`The run rested on what the API reference leaves open: ${points.join(', ')}. Ask the operator.`]),
    ...(never.length === 0 ? [] : [`It never touched ${never.join(', ')}.`]),
  ]
}

const isTouched = ({ count }: { readonly count: number }): boolean => count > 0

const MAX_NAMED = 5

/** The first of so many, as this is no place to read a long list. */
const few = (names: readonly string[]): readonly string[] =>
  names.length <= MAX_NAMED
    ? names
    : [...names.slice(0, MAX_NAMED - 1), `${names.length - MAX_NAMED + 1} more like that`]
