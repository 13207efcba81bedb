import type { RunReport } from '../../domain/events/run-report.ts'
import type { Diagnostic } from '../../domain/diagnostics/diagnostic.ts'
import { describeReliance, describeUse, HOW_TO_READ } from '../../contract/format/describe-run.ts'
import { sortOpenPoints } from '../../contract/format/sort-open-points.ts'

/** The run as Markdown for the summary of a CI job. Contains no text that came from an app. */
export function runSummary(run: RunReport, diagnostics: readonly Diagnostic[]): string {
  const outcomes = run.outcomes.filter(({ count }) => count > 0)
  return [
    '## Payments in the sandbox',
    describeUse(run).join(' '),
    ...(outcomes.length === 0
      ? []
      : ['### Outcomes', list(outcomes.map(({ text, count }) => `${text}: ${count}`))]),
    '### Mistakes that the sandbox found',
    diagnostics.length === 0 ? 'None.' : list(diagnosticRows(diagnostics)),
    ...(run.openPoints.length === 0
      ? []
      : [
          '### What the API reference leaves open',
          describeReliance(run.openPoints),
          list(sortOpenPoints(run.openPoints).map(({ name, reference }) => `\`${name}\`: ${reference}`)),
          HOW_TO_READ,
        ]),
    '',
  ].join('\n\n')
}

const list = (rows: readonly string[]): string => rows.map((row) => `- ${row}`).join('\n')

/** One row for each kind of finding. Leaves out `seen`, because its text comes from an app. */
function diagnosticRows(diagnostics: readonly Diagnostic[]): string[] {
  const counts = new Map<string, number>()
  for (const { severity, code, title, fix } of diagnostics) {
    const row = `${severity} \`${code}\`: ${title}. ${fix}`
    counts.set(row, (counts.get(row) ?? 0) + 1)
  }
  return [...counts].map(([row, count]) => (count === 1 ? row : `${row} (${count} times)`))
}
