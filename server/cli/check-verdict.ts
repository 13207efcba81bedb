import type { CheckResult } from '../check/check-result.ts'
import { shellWord } from '../domain/curl.ts'
import type { Verdict } from './reports/verdict.ts'
import type { FlagsOf } from './read-arguments.ts'

/** One result, as reports have it. */
export function verdictOf(result: CheckResult, command: (name: string) => string): Verdict {
  const { name, group, outcome, ms, title, why, expected, seen, sameAs, repeat } = result
  const told = { name, group, outcome, ms }
  if (outcome === 'passed') return told
  if (outcome === 'skipped') return { ...told, message: seen }
  if (sameAs !== null) return { ...told, message: `same cause as ${sameAs}` }
  return {
    ...told,
    message: seen,
    details: [`Sent: ${title}`, `Expected: ${expected}`, `Seen: ${seen}`, `Why: ${why}`].join('\n'),
    repeat: repeat ?? command(name),
  }
}

/** What belongs to one run, and not to the next one. */
const NOT_REPEATED = new Set(['only', 'list', 'json', 'junit', 'tap', 'markdown', 'admin-token'])

/** The command that tries one case again. */
export function commandOf(receiver: string, flags: FlagsOf<'check'>): (name: string) => string {
  const given = Object.entries(flags).flatMap(([flag, value]) => {
    if (NOT_REPEATED.has(flag) || value === undefined || typeof value === 'boolean') return []
    return [value].flat().map((one) => `--${flag} ${shellWord(one)}`)
  })
  return (name) => ['npx paylink-sandbox check', shellWord(receiver), ...given, `--only ${name}`].join(' ')
}
