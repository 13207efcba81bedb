import type { CaseResult, Mistake } from '../checks/check.ts'
import { listNames } from './list-names.ts'

interface CheckFindings {
  readonly mistakes: readonly Mistake<string>[]
  readonly results: readonly Pick<CaseResult, 'name' | 'title' | 'seen'>[]
  /** Only the report of a receiver check has advice. */
  readonly advice?: string | null
}

const MAX_NAMES = 5

/**
 * Lists each mistake of an app: its name, the case that explains it best, what that case has seen, what to do about it, and the
 * other cases that found it. May contain text that comes from the app.
 */
export function mistakeLines({ mistakes, results, advice = null }: CheckFindings): string[] {
  const lines = mistakes.flatMap((mistake) => {
    const { title, seen } = results.find(({ name }) => name === mistake.case)!
    return [
      `${mistake.title}.`,
      `  ${mistake.case}: ${title}.`,
      `  Seen: ${seen}.`,
      ...(mistake.answer === null ? [] : [`  Your app answered the webhook with ${mistake.answer}.`]),
      `  What to do: ${mistake.remedy}`,
      ...otherCasesLine(mistake),
    ]
  })
  return [...lines, ...furtherAdvice({ mistakes, advice })]
}

/** The advice of a report, unless a mistake already says it. */
export const furtherAdvice = ({
  mistakes,
  advice = null,
}: Pick<CheckFindings, 'mistakes' | 'advice'>): string[] =>
  advice === null || mistakes.some(({ remedy }) => remedy === advice) ? [] : [advice]

function otherCasesLine({ others, isSameCause }: Mistake<string>): string[] {
  if (others.length === 0) return []
  const reason = isSameCause ? 'for the same reason' : 'probably for the same reason'
  return [`  Also failed, ${reason}: ${listNames(others, MAX_NAMES)}.`]
}
