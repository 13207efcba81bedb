import { runnerImport } from 'vite'

const EVALUATED = /\.evaluated\.ts$/

/**
 * Replaces each module `*.evaluated.ts` by the values that it exports, as JSON. For constants that take long to
 * compute and are needed by every start.
 *
 * @returns {import('vite').Plugin}
 */
export function evaluateAtBuild() {
  return {
    name: 'evaluate-at-build',
    enforce: 'pre',
    // Vitest would keep the values on disk, although the modules that they come from may change.
    configureVitest({ experimental_defineCacheKeyGenerator }) {
      experimental_defineCacheKeyGenerator(({ id }) => (EVALUATED.test(id) ? false : undefined))
    },
    load: {
      filter: { id: EVALUATED },
      async handler(id) {
        const { module, dependencies } = await runnerImport(id, { configFile: false, logLevel: 'warn' })
        for (const file of dependencies) this.addWatchFile(file)
        const constants = Object.entries(module).map(
          ([name, value]) => `export const ${name} = ${JSON.stringify(value)}`,
        )
        return { code: constants.join('\n'), moduleType: 'js' }
      },
    },
  }
}
