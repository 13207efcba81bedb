/** The battery cannot go on. The message says why, and what to do. */
export class CheckProblem extends Error {
  override readonly name = 'CheckProblem'
}
