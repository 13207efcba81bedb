import type { SkipReason } from '../../contract/checks/check.ts'

/** Throw this if a case cannot prove anything. The message says why. */
export class NotPossible extends Error {
  override readonly name = 'NotPossible'
  readonly skipReason: SkipReason

  constructor(message: string, skipReason: SkipReason = 'inconclusive') {
    super(message)
    this.skipReason = skipReason
  }
}
