import { createFilter } from 'vite'
import { BaseSequencer } from 'vitest/node'
import { root } from './run.js'
import { firstTests } from './test-sets.js'

const filters = firstTests.map((pattern) => createFilter(pattern, undefined, { resolve: root }))

/** @param {string} file */
function rankOf(file) {
  const rank = filters.findIndex((isMatch) => isMatch(file))
  return rank === -1 ? filters.length : rank
}

/**
 * Starts the longest test files first, so that none of them runs alone at the end. Vitest itself would run one project after the
 * other, and start the files with the most text first.
 */
export class LongestFirst extends BaseSequencer {
  /**
   * @override
   * @param {import('vitest/node').TestSpecification[]} files
   */
  async sort(files) {
    // This is Vitest's method, not that of an array.
    // eslint-disable-next-line unicorn/no-array-sort
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one.moduleId) - rankOf(other.moduleId))
  }
}
