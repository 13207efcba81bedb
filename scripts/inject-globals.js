import { join } from 'node:path'
import * as nodeGlobals from '../server/platform/system/node-globals.ts'
import { root } from './run.js'

const GLOBALS = join(root, 'server', 'platform', 'system', 'node-globals.ts')
const TIMERS = join(root, 'server', 'platform', 'system', 'node-timers-promises.ts')

/**
 * Makes the server and the libraries that are bundled with it use the globals of `node-globals.ts`, so that they work
 * beside the fake clock and in the browser environment of a test.
 *
 * @returns {import('vite').Plugin}
 */
export function injectGlobals() {
  const names = Object.keys(nodeGlobals).filter((name) => name in globalThis)
  /** @type {Record<string, [string, string]>} */
  const inject = Object.fromEntries(
    names.flatMap((name) =>
      [name, `global.${name}`, `globalThis.${name}`].map((place) => [place, [GLOBALS, name]]),
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
