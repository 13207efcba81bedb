import type { RunReport } from '../domain/events/run-report.ts'
import { plural } from '../contract/format/values.ts'

interface Counted {
  readonly count: number
}

/** What a run covered and depended on, in at most three lines. */
export function summarizeRun({ openPoints, operations, documentedErrors, outcomes }: RunReport): string[] {
  const calls = operations.reduce((sum, { count }) => sum + count, 0)
  if (calls === 0) {
    return ['The command did not call the API. It finds the address of the sandbox in PAYLINK_URL.']
  }
  const missing = [
    missingOf(operations, 'operation'),
    missingOf(documentedErrors, 'documented error'),
    missingOf(outcomes, 'outcome'),
  ].filter(Boolean)
  const points = openPoints.map(({ name }) => name)
  return [
    `${plural(calls, 'API call')}.${missing.length === 0 ? '' : ` Not covered: ${missing.join(', ')}.`}`,
    ...(points.length === 0
      ? []
      : [`Depended on what the API reference leaves open: ${points.join(', ')}. Confirm with the provider.`]),
    '--verbose lists everything that was covered, and what the reference says.',
  ]
}

/** Everything that a run covered, missed and depended on, in lines for people. */
export function describeRun({ openPoints, operations, documentedErrors, outcomes }: RunReport): string[] {
  return [
    ...list(
      'API calls',
      operations.map(({ name, count }) => ({ count, text: name })),
    ),
    ...list(
      'Documented errors',
      documentedErrors.map(({ operation, message, count }) => ({ count, text: `${operation}: ${message}` })),
    ),
    ...list('Outcomes', outcomes),
    ...(openPoints.length === 0
      ? []
      : list(
          'Depended on what the API reference leaves open. Confirm with the provider',
          openPoints.map(({ name, count, reference }) => ({ count, text: `${name}: ${reference}` })),
        )),
  ]
}

/** `22 of 22 documented errors`, or nothing if all of them were covered. */
function missingOf(all: readonly Counted[], noun: string): string {
  const missed = all.filter(({ count }) => count === 0).length
  return missed === 0 ? '' : `${missed} of ${plural(all.length, noun)}`
}

const list = (title: string, rows: readonly (Counted & { readonly text: string })[]): string[] => [
  `${title}:`,
  ...rows.map(({ count, text }) => `${String(count).padStart(6)}  ${text}`),
]
