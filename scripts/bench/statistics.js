/**
 * @param {readonly number[]} values
 * @param {number} fraction
 * @returns {number}
 */
export function percentile(values, fraction) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0
}

/** @param {readonly number[]} values */
export const median = (values) => percentile(values, 0.5)

/**
 * The median of what pairs of runs make of it, which a machine that gets slower meanwhile changes little.
 *
 * @param {readonly number[]} values
 * @param {readonly number[]} beside
 */
export const medianRatio = (values, beside) =>
  median(values.map((value, number) => value / (beside[number] ?? Number.NaN)))

const MIN_ROUNDS = 3

/**
 * So many rounds, or fewer where they take longer than they should on a busy machine.
 *
 * @param {number} most
 * @param {number} ms
 * @returns {Generator<number>}
 */
export function* limitedRounds(most, ms) {
  const began = performance.now()
  for (let round = 0; round < most && (round < MIN_ROUNDS || performance.now() - began < ms); round++)
    yield round
}
