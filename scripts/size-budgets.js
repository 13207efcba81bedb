import { gzipSync } from 'node:zlib'

/** @typedef {import('rolldown').OutputBundle} Bundle */

/**
 * The size limit of each page, gzipped, in units of 1000 bytes. `environment` is the Vite environment that builds it. Files
 * that the page loads at first are limited separately from files that it loads later.
 *
 * @type {readonly { environment: string, what: string, files: (bundle: Bundle) => string[], budget: number }[]}
 */
const BUDGETS = [
  { environment: 'client', what: 'Inspector, first JS', files: loadedAtFirst, budget: 48 },
  { environment: 'client', what: 'Inspector, all JS', files: matching(/\.js$/), budget: 168 },
  { environment: 'client', what: 'Inspector, CSS', files: matching(/\.css$/), budget: 15 },
  { environment: 'report', what: 'Report, without data', files: matching(/\.html$/), budget: 80 },
]

/**
 * Fails the build if a page is over its budget, before anything is written.
 *
 * @returns {import('vite').Plugin}
 */
export function sizeBudgets() {
  return {
    name: 'budgets',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const { name, logger } = this.environment
        for (const { what, files, budget } of BUDGETS.filter(({ environment }) => environment === name)) {
          const weight = files(bundle).reduce((sum, file) => sum + gzippedSize(bundle[file]), 0) / 1000
          const kB = weight.toFixed(1)
          if (weight > budget) this.error(`${what}: ${kB} kB zipped is over the budget of ${budget} kB.`)
          logger.info(`${what.padEnd(24)}${kB.padStart(5)} kB zipped, budget ${budget} kB`)
        }
      },
    },
  }
}

/**
 * @param {RegExp} pattern
 * @returns {(bundle: Bundle) => string[]}
 */
function matching(pattern) {
  return (bundle) => Object.keys(bundle).filter((file) => pattern.test(file))
}

/**
 * The entry and its static imports, recursively.
 *
 * @param {Bundle} bundle
 * @returns {string[]}
 */
function loadedAtFirst(bundle) {
  const needed = new Set(
    Object.values(bundle).flatMap((file) => ('isEntry' in file && file.isEntry ? [file.fileName] : [])),
  )
  for (const name of needed) {
    const file = bundle[name]
    if (file && 'imports' in file) for (const imported of file.imports) needed.add(imported)
  }
  return [...needed]
}

/** @param {Bundle[string] | undefined} file */
const gzippedSize = (file) => (file ? gzipSync('code' in file ? file.code : file.source).length : 0)
