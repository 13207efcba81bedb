import { createFilter } from 'vite'
import { BaseSequencer } from 'vitest/node'
import { root } from './run.js'
import { firstTests } from './test-sets.js'

/** @type {(file: string) => boolean} */
const isFirst = createFilter(firstTests, undefined, { resolve: root })

/**
 * Starts the longest test files of a project first, so that none of them runs alone at the end. Vitest would start the files
 * with the most text first.
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
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project)
      return [
        ...own.filter(({ moduleId }) => isFirst(moduleId)),
        ...own.filter(({ moduleId }) => !isFirst(moduleId)),
      ]
    })
  }
}
