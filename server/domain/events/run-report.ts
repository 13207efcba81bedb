import { openPoints, type AssumptionName, type OpenPoint } from '../behaviors/behavior.ts'
import type { Recorded } from './event.ts'
import { isOperation, operations, type Operation } from '../api/operations.ts'
import { outcomeNames, outcomesOf, textOfOutcome, type OutcomeName } from './run-outcomes.ts'
import { documentedText } from '../api/api-error.ts'
import type { Instant } from '../time/time.ts'

/** A refusal that the reference lists. Where its message has values in it, they are examples. */
export interface DocumentedRefusal {
  readonly operation: string
  readonly message: string
}

/** What a run rested on and what it touched: 0 stands for what it never did. */
export interface RunReport {
  /** When the counting began, by the machine's clock: with the process, and a reset does not begin it anew. */
  readonly since: Instant
  /** The open points that it rested on, with how many events did, the most first. */
  readonly openPoints: readonly (Pick<OpenPoint, 'reference' | 'assumption'> & {
    readonly name: AssumptionName
    readonly count: number
  })[]
  readonly operations: readonly { readonly name: Operation; readonly count: number }[]
  readonly refusals: readonly (DocumentedRefusal & { readonly count: number })[]
  readonly outcomes: readonly {
    readonly name: OutcomeName
    readonly text: string
    readonly count: number
  }[]
}

export interface RunTally {
  /** Counts what was recorded. */
  note(recorded: readonly Recorded[]): void
  report(): RunReport
}

/** Counts what a run touches. Which refusals there are is asked for with the first report. */
export function createRunTally(since: Instant, refusals: () => readonly DocumentedRefusal[]): RunTally {
  const relied = new Map<AssumptionName, number>()
  const called = new Map(operations.map((name) => [name, 0]))
  const refused = new Map<string, number>()
  const came = new Map<OutcomeName, number>()

  function count(event: Recorded): void {
    for (const name of reliedOn(event)) add(relied, name)
    for (const name of outcomesOf(event)) add(came, name)
    // Any text may be called: counting all of it would have no end.
    if (event.type !== 'api.request' || !isOperation(event.operation)) return
    add(called, event.operation)
    const text = event.code === 0 ? documentedText(event.message) : undefined
    if (text !== undefined) add(refused, keyOf(event.operation, text))
  }

  return {
    note(recorded) {
      for (const event of withoutPlanted(recorded)) count(event)
    },
    report() {
      return {
        since,
        openPoints: [...relied]
          .toSorted(([, one], [, other]) => other - one)
          .map(([name, times]) => {
            const { reference, assumption } = openPoints[name]
            return { name, count: times, reference, assumption }
          }),
        operations: [...called].map(([name, times]) => ({ name, count: times })),
        refusals: refusals().map(({ operation, message }) => ({
          operation,
          message,
          count: refused.get(keyOf(operation, documentedText(message) ?? message)) ?? 0,
        })),
        outcomes: outcomeNames.map((name) => ({
          name,
          text: textOfOutcome(name),
          count: came.get(name) ?? 0,
        })),
      }
    },
  }
}

/** What an event rests on. Where nothing was sent, no event of its own says so. */
function reliedOn(event: Recorded): readonly AssumptionName[] {
  if (event.type === 'link.cancelled') return ['cancelWebhook']
  if (event.type === 'delivery.attempted') return event.state === 'failed' ? ['retries'] : []
  return 'assumed' in event ? event.assumed : []
}

/** What a reset planted was nobody's doing. Its journal begins with that, and the reset ends it. */
function withoutPlanted(recorded: readonly Recorded[]): readonly Recorded[] {
  const reset = recorded.findLastIndex(({ type }) => type === 'sandbox.reset')
  if (reset === -1) return recorded
  const begun = Math.max(0, reset + 1 - recorded[reset]!.seq)
  return [...withoutPlanted(recorded.slice(0, begun)), ...recorded.slice(reset)]
}

const keyOf = (operation: string, text: string): string => `${operation} ${text}`

const add = <Key>(counts: Map<Key, number>, key: Key): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1)
