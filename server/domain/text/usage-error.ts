import { findClosestMatch } from './closest-match.ts'

/** Something is wrong with how the sandbox was started. The message says what and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The hint after an unknown name. */
export const didYouMeanSentence = (name: string, names: readonly string[]): string => {
  const match = findClosestMatch(name, names)
  return match === undefined ? '' : ` Did you mean ${match}?`
}
