import type { SkipReason } from '../../contract/checks/check.ts'

/** Why a case about notes is skipped. */
export const OTHER_NOTES = 'the app refuses such notes, or gives its links other notes or none'

/** Thrown if a case cannot prove anything. The message says why. */
export class NotPossible extends Error {
  override readonly name = 'NotPossible'
  readonly skipReason: SkipReason

  constructor(message: string, skipReason: SkipReason = 'inconclusive') {
    super(message)
    this.skipReason = skipReason
  }
}
