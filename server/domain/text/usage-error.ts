import { nearest } from './closest-match.ts'

/** Something is wrong with how the sandbox was started. The message says what and what to do. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem'
}

/** The hint after an unknown name. */
export const hint = (name: string, names: readonly string[]): string => {
  const match = nearest(name, names)
  return match === undefined ? '' : ` Did you mean ${match}?`
}
