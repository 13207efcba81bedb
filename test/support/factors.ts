import type { Factor } from '../../server/verify/matrix/factor.ts'
import { behaviorNames } from '../../server/domain/behaviors/behavior.ts'

/** Behaviors with these numbers of values. */
export const factorsWith = (...sizes: readonly number[]): Factor[] =>
  sizes.map((size, index) => ({
    name: behaviorNames[index]!,
    values: ['v0', ...Array.from({ length: size - 1 }, (_, more) => `v${more + 1}`)],
  }))
