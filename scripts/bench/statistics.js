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
 * The median ratio of pairs of runs. A machine that becomes slower during the bench changes it little.
 *
 * @param {readonly number[]} values
 * @param {readonly number[]} baselines
 */
export const medianRatio = (values, baselines) =>
  median(values.map((value, number) => value / (baselines[number] ?? Number.NaN)))

const MIN_ROUNDS = 3

/**
 * Counts rounds. Stops early if they take longer than `ms`, but not before the minimum.
 *
 * @param {number} max
 * @param {number} ms
 * @returns {Generator<number>}
 */
export function* limitedRounds(max, ms) {
  const began = performance.now()
  for (let round = 0; round < max && (round < MIN_ROUNDS || performance.now() - began < ms); round++)
    yield round
}
