import { isAtLeast, severities, type DiagnosticCode, type Severity } from '../domain/diagnostic.ts'
import type { EventOf, Recorded } from '../domain/events.ts'
import { printable } from './print.ts'

type Found = Recorded<EventOf<'diagnostic.found'>>

/** What was found of one kind. */
export interface Finding extends Pick<Found, 'code' | 'severity' | 'title' | 'expected' | 'fix'> {
  readonly count: number
  readonly newest: Found
}

/** What is found in a run, kind by kind. A reset of the sandbox takes nothing from it. */
export function createFindings() {
  const kinds = new Map<DiagnosticCode, Finding>()
  let hasEnded = false

  return {
    note(found: Found): void {
      // A command that has ended has taken its receivers with it, which says nothing about them.
      if (hasEnded && found.code === 'receiverGone') return
      const { code, severity, title, expected, fix } = found
      const count = (kinds.get(code)?.count ?? 0) + 1
      kinds.set(code, { code, severity, title, expected, fix, count, newest: found })
    },
    commandEnded(): void {
      hasEnded = true
    },
    /** Those that matter as much, or more, the worst first. */
    atLeast(least: Severity): Finding[] {
      return [...kinds.values()]
        .filter(({ severity }) => isAtLeast(severity, least))
        .toSorted((one, other) => severities.indexOf(other.severity) - severities.indexOf(one.severity))
    },
  }
}

export type Findings = ReturnType<typeof createFindings>

/** `error unknownKey: No account has this API key. Found 3 times, last in event 12: … Compare it with …` */
export function findingLine({ severity, code, title, count, newest, fix }: Finding): string {
  const often = count === 1 ? 'Found in' : `Found ${count} times, last in`
  return `${severity} ${code}: ${title}. ${often} event ${newest.of}: ${printable(newest.seen)}. ${fix}`
}
