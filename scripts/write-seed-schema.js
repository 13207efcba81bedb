import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from './run.js'

/**
 * Writes the JSON Schema of seed files to `dist/`, for editors. It is generated from the zod schema of the server.
 *
 * @returns {import('vite').Plugin}
 */
export function writeSeedSchema() {
  return {
    name: 'seed-schema',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'ssr',
    async writeBundle() {
      /** @type {{ module: typeof import('../server/contract/seed/seed-schema.ts') }} */
      const { module } = await runnerImport(join(root, 'server', 'contract', 'seed', 'seed-schema.ts'), {
        configFile: false,
        logLevel: 'warn',
      })
      const text = JSON.stringify(module.createSeedJsonSchema(), null, 2)
      writeFileSync(join(root, 'dist', 'seed.schema.json'), `${text}\n`)
    },
  }
}
