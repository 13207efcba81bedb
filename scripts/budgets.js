import { gzipSync } from 'node:zlib'

/** What a page may weigh, zipped, in units of 1000 bytes. By the environment that builds it. */
const BUDGETS = [
  { environment: 'client', what: 'Inspector, JS', pattern: /\.js$/, budget: 40 },
  { environment: 'client', what: 'Inspector, CSS', pattern: /\.css$/, budget: 10 },
  { environment: 'report', what: 'Report, without data', pattern: /\.html$/, budget: 50 },
]

/**
 * Weighs what is built, and fails the build before anything is written where a budget is broken.
 *
 * @returns {import('vite').Plugin}
 */
export function budgets() {
  return {
    name: 'budgets',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const { name, logger } = this.environment
        for (const { what, pattern, budget } of BUDGETS.filter(({ environment }) => environment === name)) {
          const files = Object.values(bundle).filter(({ fileName }) => pattern.test(fileName))
          const weight = files.reduce((sum, file) => sum + gzipped(file), 0) / 1000
          const kB = weight.toFixed(1)
          if (weight > budget) this.error(`${what}: ${kB} kB zipped is over the budget of ${budget} kB.`)
          logger.info(`${what.padEnd(22)}${kB.padStart(5)} kB zipped, budget ${budget} kB`)
        }
      },
    },
  }
}

/** @param {{ code: string } | { source: string | Uint8Array }} file */
const gzipped = (file) => gzipSync('code' in file ? file.code : file.source).length
