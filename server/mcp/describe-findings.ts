import type { FoundDiagnostic, Records } from '../client/records.ts'

/** The findings about several events, newest first. In the journal, a finding comes after its event. */
export async function findingsAbout(
  { diagnostics }: Pick<Records, 'diagnostics'>,
  seqs: readonly number[],
): Promise<readonly FoundDiagnostic[]> {
  if (seqs.length === 0) return []
  const findings = await diagnostics({ after: Math.min(...seqs) })
  return findings.filter(({ eventSeq }) => seqs.includes(eventSeq)).toReversed()
}

/** One line for each kind of finding: what is wrong and what to do. */
export const findingLines = (findings: readonly FoundDiagnostic[]): string[] => [
  ...new Set(
    findings.map(
      ({ severity, code, title, expected, fix }) =>
        `${severity} ${code}: ${title}. Expected: ${expected}. ${fix}`,
    ),
  ),
]

/** What was seen instead of what was expected. */
export const findingTexts = (findings: readonly FoundDiagnostic[]): Record<string, unknown> =>
  findings.length === 0 ? {} : { seen: findings.map(({ code, seen }) => `${code}: ${seen}`) }
