import {
  isAtLeastSeverity,
  severities,
  type DiagnosticCode,
  type Severity,
} from '../domain/diagnostics/diagnostic.ts'
import type { EventOf, RecordedEvent } from '../domain/events/event.ts'
import { truncate } from '../domain/text/truncate.ts'
import { visibleLine } from '../domain/text/visible.ts'

type FindingEvent = RecordedEvent<EventOf<'diagnostic.found'>>

/** A kind of finding, with everything that was found of it in the run. */
export interface RunFinding extends Pick<FindingEvent, 'code' | 'severity' | 'title' | 'expected' | 'fix'> {
  readonly count: number
  readonly newest: FindingEvent
  /** What the newest finding of this kind is about: `a call of createSplitLink (event 3)`. */
  readonly where: string
}

/** Counts the findings of a run by kind. A reset of the sandbox does not clear them. */
export function createFindings() {
  const kinds = new Map<DiagnosticCode, RunFinding>()
  /** Findings about receivers that have gone away. They are ignored if the command ended at the same time. */
  let broken: { readonly at: number; readonly count: () => void }[] = []
  let hasEnded = false

  function count(diagnostic: FindingEvent, about: RecordedEvent | undefined): void {
    const { code, severity, title, expected, fix } = diagnostic
    kinds.set(code, {
      code,
      severity,
      title,
      expected,
      fix,
      count: (kinds.get(code)?.count ?? 0) + 1,
      newest: diagnostic,
      where: whereOf(diagnostic, about),
    })
  }

  return {
    note(diagnostic: FindingEvent, about?: RecordedEvent): void {
      const isGone = RECEIVER_GONE.has(diagnostic.code)
      if (isGone && hasEnded) return
      // A refused connection means that nothing was listening, not that the receiver has just ended.
      if (!isGone || isConnectionRefused(about)) count(diagnostic, about)
      else broken.push({ at: performance.now(), count: () => count(diagnostic, about) })
    },
    /**
     * Must be called when the command has ended. A receiver that went away just before that has probably ended with the command,
     * so its finding is dropped.
     */
    commandEnded(): void {
      hasEnded = true
      const endedAt = performance.now()
      for (const { at, count: countIt } of broken) if (endedAt - at > MAX_EXIT_MS) countIt()
      broken = []
    },
    /** The findings of at least this severity, most severe first. */
    atLeast(least: Severity): RunFinding[] {
      return [...kinds.values()]
        .filter(({ severity }) => isAtLeastSeverity(severity, least))
        .toSorted((one, other) => severities.indexOf(other.severity) - severities.indexOf(one.severity))
    },
  }
}

const isConnectionRefused = (about: RecordedEvent | undefined): boolean =>
  about?.type === 'delivery.attempted' && about.errorCode === 'connectionRefused'

const RECEIVER_GONE = new Set<DiagnosticCode>(['receiverGone', 'containerLocalhost'])

/** How long before it ends a process may close its sockets. */
const MAX_EXIT_MS = 1_000

const MAX_CHARACTERS = 200

function whereOf({ eventSeq }: FindingEvent, about: RecordedEvent | undefined): string {
  if (about === undefined) return `event ${eventSeq}`
  if ('operation' in about)
    return `a call of ${truncate(about.operation, MAX_CHARACTERS)} (event ${eventSeq})`
  if ('target' in about) return `a webhook to ${truncate(about.target, MAX_CHARACTERS)} (event ${eventSeq})`
  return `event ${eventSeq}`
}

/** `error unknownKey: No account has this API key. Found 3 times, last in a call of createLink (event 12): … Compare …` */
export function findingLine({ severity, code, title, count, newest, where, fix }: RunFinding): string {
  const countText = count === 1 ? 'Found in' : `Found ${count} times, last in`
  return `${severity} ${code}: ${title}. ${countText} ${visibleLine(where)}: ${visibleLine(newest.seen)}. ${fix}`
}
