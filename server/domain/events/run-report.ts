import { openPoints, type AssumptionName, type OpenPoint } from '../behaviors/open-points.ts'
import type { EventOf, RecordedEvent } from './event.ts'
import { listAssumptions } from './event-assumptions.ts'
import { isOperation, operations, type Operation } from '../api/operations.ts'
import { runOutcomeNames, findRunOutcomes, describeRunOutcome, type RunOutcome } from './run-outcomes.ts'
import type { Instant } from '../time/berlin-time.ts'

/** An error that the reference documents for an operation. Its message contains example values. */
export interface DocumentedError {
  readonly operation: string
  readonly code: string
  readonly message: string
}

/** The open points that a run depended on, and what the run covered. A count of 0 means not covered. */
export interface RunReport {
  /** When the process started, by the system clock. A reset does not change it. */
  readonly since: Instant
  /** The open points that the run depended on, each with its number of events, the highest number first. */
  readonly openPoints: readonly (Pick<OpenPoint, 'reference' | 'assumption'> & {
    readonly name: AssumptionName
    readonly count: number
  })[]
  readonly operations: readonly { readonly name: Operation; readonly count: number }[]
  readonly documentedErrors: readonly (DocumentedError & { readonly count: number })[]
  readonly outcomes: readonly {
    readonly name: RunOutcome
    readonly text: string
    readonly count: number
  }[]
}

export interface RunTally {
  /** Counts the events of a commit. */
  count(recorded: readonly RecordedEvent[]): void
  report(): RunReport
}

/** Counts what a run covers. The list of errors is loaded only for the first report. */
export function createRunTally(since: Instant, errors: readonly DocumentedError[]): RunTally {
  const assumptionCounts = new Map<AssumptionName, number>()
  const operationCounts = new Map(operations.map((name) => [name, 0]))
  const errorCounts = new Map<string, number>()
  const outcomeCounts = new Map<RunOutcome, number>()

  function countEvent(event: RecordedEvent): void {
    for (const name of listAssumptions(event)) increment(assumptionCounts, name)
    for (const name of findRunOutcomes(event)) increment(outcomeCounts, name)
    // Calls from an imported file do not belong to this run.
    if ('imported' in event && event.imported !== undefined) return
    // Unknown names are not counted. Callers can use any text as a name, and one counter for each name would need unlimited
    // memory.
    if (event.type !== 'api.request' || !isOperation(event.operation)) return
    increment(operationCounts, event.operation)
    const code = event.code === 0 ? (event.errorCode ?? findInjectedError(event)) : undefined
    if (code !== undefined) increment(errorCounts, errorKey(event.operation, code))
  }

  /** The documented error that a fault has caused. It does not count as covered, because the app made no mistake. */
  const findInjectedError = ({ operation, message }: EventOf<'api.request'>): string | undefined =>
    errors.find((error) => error.operation === operation && error.message === message)?.code

  return {
    count(recorded) {
      for (const event of dropSeeded(recorded)) countEvent(event)
    },
    report() {
      return {
        since,
        openPoints: [...assumptionCounts]
          .toSorted(([, one], [, other]) => other - one)
          .map(([name, times]) => {
            const { reference, assumption } = openPoints[name]
            return { name, count: times, reference, assumption }
          }),
        operations: [...operationCounts].map(([name, times]) => ({ name, count: times })),
        documentedErrors: errors.map((error) => ({
          ...error,
          count: errorCounts.get(errorKey(error.operation, error.code)) ?? 0,
        })),
        outcomes: runOutcomeNames.map((name) => ({
          name,
          text: describeRunOutcome(name),
          count: outcomeCounts.get(name) ?? 0,
        })),
      }
    },
  }
}

/**
 * Leaves out the events of a seed, because no user caused them. They are the first events of a journal, up to the reset event.
 */
function dropSeeded(recorded: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const reset = recorded.findLastIndex(({ type }) => type === 'sandbox.reset')
  if (reset === -1) return recorded
  const begun = Math.max(0, reset + 1 - recorded[reset]!.seq)
  return [...dropSeeded(recorded.slice(0, begun)), ...recorded.slice(reset)]
}

const errorKey = (operation: string, code: string): string => `${operation} ${code}`

const increment = <Key>(counts: Map<Key, number>, key: Key): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1)
