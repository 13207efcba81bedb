import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from './run.js'

const EVALUATED = /\.evaluated\.ts$/
const GLOB = /\bimport\.meta\.glob\b/

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
    // Vitest keeps transformed modules on disk, by their source. These modules also depend on other files: on what they evaluate,
    // on what a pattern finds (Vitest overlooks a glob with a type argument), and on the compiler's settings.
    configureVitest({ experimental_defineCacheKeyGenerator }) {
      const settings = readFileSync(join(root, 'tsconfig.json'), 'utf8')
      experimental_defineCacheKeyGenerator(({ id, sourceCode }) =>
        EVALUATED.test(id) || GLOB.test(sourceCode) ? false : settings,
      )
    },
    load: {
      filter: { id: EVALUATED },
      async handler(id) {
        const { module, dependencies } = await runnerImport(id, {
          configFile: false,
          logLevel: 'warn',
          oxc: { target: 'node20' },
        })
        for (const file of dependencies) this.addWatchFile(file)
        const constants = Object.entries(module).map(
          ([name, value]) => `export const ${name} = ${JSON.stringify(value)}`,
        )
        return { code: constants.join('\n'), moduleType: 'js' }
      },
    },
  }
}
