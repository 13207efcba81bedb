import { describeRunOutcome } from '../../domain/events/run-outcomes.ts'
import type { RunReport } from '../../domain/events/run-report.ts'
import { andList } from '../../domain/text/word-lists.ts'
import { formatCount, plural } from './values.ts'

/** Which parts of the service a run used, in sentences. */
export function describeUse({ operations, documentedErrors, outcomes }: RunReport): string[] {
  const calls = operations.reduce((sum, { count }) => sum + count, 0)
  if (calls === 0) {
    return ['Your app made no API call. The variable PAYLINK_URL has the address of the sandbox.']
  }
  const called = happened(operations).map(({ name }) => name)
  const met = happened(outcomes).map(({ text }) => text)
  return [
    `Your app made ${plural(calls, 'API call')}, and used ${shareOf(called, operations)} operations: ${andList(called)}.`,
    `Your app got ${shareOf(happened(documentedErrors), documentedErrors)} documented errors.`,
    `Of the ${outcomes.length} possible outcomes, ${met.length === 0 ? `such as ${describeRunOutcome('paidByCard')} or ${describeRunOutcome('webhookFailed')}, none happened` : `${met.length} happened: ${andList(met)}`}.`,
  ]
}

/** How many open points a run relies on, and what that means. */
export const describeReliance = (points: readonly unknown[]): string =>
  points.length === 0
    ? 'The run relies on no point that the API reference leaves open.'
    : `The run relies on ${plural(points.length, 'point')} that the API reference leaves open. The real service may differ there, so ask the provider.`

/** Where to read about open points after the sandbox has ended. */
export const HOW_TO_READ =
  'Run npx paylink-sandbox and open http://127.0.0.1:4400/docs/guides/undocumented-behavior to read what the sandbox assumes at each point.'

const happened = <Counted extends { readonly count: number }>(all: readonly Counted[]): readonly Counted[] =>
  all.filter(({ count }) => count > 0)

/** `none of the 22`, `2 of the 5`, `all 5` */
function shareOf(some: readonly unknown[], all: readonly unknown[]): string {
  if (some.length === all.length) return `all ${formatCount(all.length)}`
  return `${some.length === 0 ? 'none' : formatCount(some.length)} of the ${formatCount(all.length)}`
}
