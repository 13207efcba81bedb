import type { RunReport } from '../domain/events/run-report.ts'
import { describeReliance, describeUse, HOW_TO_READ } from '../contract/format/describe-run.ts'
import { sortOpenPoints } from '../contract/format/sort-open-points.ts'

interface CountedText {
  readonly count: number
  readonly text: string
}

/** A longer list would push the output of the command off the screen. */
const SHOWN_POINTS = 3

/** What a run used, and which undocumented points it relies on, in a few sentences. */
export function summarizeRun(run: RunReport): string[] {
  if (run.operations.every(({ count }) => count === 0)) return describeUse(run)
  const points = sortOpenPoints(run.openPoints)
  const hidden = points.length - SHOWN_POINTS
  return [
    ...describeUse(run),
    describeReliance(points),
    ...points.slice(0, SHOWN_POINTS).map(({ name, reference }) => `  ${name}: ${reference}`),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
    ...(points.length > 0 ? [HOW_TO_READ] : []),
    'To list everything that the run used and did not use, add --verbose.',
  ]
}

/** The lines of the summary: what a run used, what it did not test, and which assumptions it relies on. */
export function describeRun(run: RunReport): string[] {
  const { operations, documentedErrors, outcomes } = run
  return [
    ...list(
      'How often the app called each operation',
      operations.map(({ name, count }) => ({ count, text: name })),
    ),
    ...list(
      'How often the app got each documented error',
      documentedErrors.map(({ operation, message, count }) => ({ count, text: `${operation}: ${message}` })),
    ),
    ...list('How often the app met each possible outcome', outcomes),
    ...(run.openPoints.length === 0
      ? []
      : [
          describeReliance(run.openPoints),
          ...rows(
            sortOpenPoints(run.openPoints).map(({ name, count, reference }) => ({
              count,
              text: `${name}: ${reference}`,
            })),
          ),
          HOW_TO_READ,
        ]),
  ]
}

const list = (title: string, counts: readonly CountedText[]): string[] => [`${title}:`, ...rows(counts)]

const rows = (counts: readonly CountedText[]): string[] =>
  counts.map(({ count, text }) => `${String(count).padStart(6)}  ${text}`)
