/**
 * Creates a random number generator. The same seed gives the same numbers (mulberry32).
 *
 * @param {number} seed
 */
export function createRandom(seed) {
  let state = seed >>> 0
  function next() {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** @param {number} bound */
  const below = (bound) => Math.floor(next() * bound)
  return {
    below,
    /** @param {number} probability */
    chance: (probability) => next() < probability,
    /**
     * @template Entry
     * @param {readonly [Entry, ...Entry[]]} entries
     * @returns {Entry}
     */
    pick: (entries) => entries[below(entries.length)] ?? entries[0],
  }
}

/** @typedef {ReturnType<typeof createRandom>} Random */
