import { join } from 'node:path'
import * as nodeFetch from '../server/platform/system/node-fetch.ts'
import * as nodeGlobals from '../server/platform/system/node-globals.ts'
import { root } from './run.js'

const FOLDER = join(root, 'server', 'platform', 'system')
const TIMERS = join(FOLDER, 'node-timers-promises.ts')

/** @type {readonly (readonly [file: string, exports: object])[]} */
const MODULES = [
  ['node-globals.ts', nodeGlobals],
  ['node-fetch.ts', nodeFetch],
]

/**
 * Makes the server and the libraries that are bundled with it use the globals of these modules, so that they work
 * with a fake clock and in the simulated browser of a test.
 *
 * @returns {import('vite').Plugin}
 */
export function injectGlobals() {
  /** @type {Record<string, [string, string]>} */
  const inject = Object.fromEntries(
    MODULES.flatMap(([file, exports]) =>
      Object.keys(exports)
        .filter((name) => name in globalThis)
        .flatMap((name) =>
          [name, `global.${name}`, `globalThis.${name}`].map((place) => [place, [join(FOLDER, file), name]]),
        ),
    ),
  )
  return {
    name: 'inject-globals',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    configEnvironment(name) {
      if (name !== 'ssr') return undefined
      return { build: { rolldownOptions: { transform: { inject } } } }
    },
    resolveId(source) {
      return source === 'node:timers/promises' ? TIMERS : undefined
    },
  }
}
