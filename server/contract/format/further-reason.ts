import type { CaseResult } from '../checks/check.ts'

/** The reason for a case, unless it is what the case expects. */
export const furtherReason = ({ expected, why }: Pick<CaseResult, 'expected' | 'why'>): readonly string[] =>
  why === `${expected}.` ? [] : [why]
