import { BaseSequencer } from 'vitest/node'

/** The test files that take longest. */
const LONGEST = [
  'verify/laboratory',
  'journeys/shops',
  'service/api/upstream-fuzzed',
  'verify/receiver-check/check',
  'cli/calibrate-fuzzed',
  'inspector/timeline',
  'verify/receiver-check/interleave',
  'cli/calibrate-pay',
  'verify/caller-check/check-caller',
  'verify/caller-check/other-languages',
  'service/tunnels/durable',
  'docs/pages',
  'service/checkout/order',
  'journeys/parallel-accounts',
  'package/guides',
  'package/failure-tests',
]

const isLong = (/** @type {import('vitest/node').TestSpecification} */ { moduleId }) =>
  LONGEST.some((name) => moduleId.endsWith(`/test/${name}.test.ts`))

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
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))]
    })
  }
}
