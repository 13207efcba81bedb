import type { CaseResult } from '../checks/check.ts'

/** Why a case was skipped, and what the app did in this case. */
export const whySkipped = ({ seen, example }: Pick<CaseResult, 'seen' | 'example'>): string =>
  example === undefined ? seen : `${seen}: ${example}`
