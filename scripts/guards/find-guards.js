import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.js'
import { guards } from './table.js'

/** @typedef {import('./table.js').Guard} Guard */

/**
 * Why the text of a guard cannot be removed from a copy of the project. `undefined`: it is in its file, once.
 *
 * @param {string} copy
 * @param {Pick<Guard, 'file' | 'text'>} guard
 */
export function whyNotFound(copy, { file, text }) {
  const count = readFileSync(join(copy, file), 'utf8').split(text).length - 1
  return count === 1 ? undefined : `${file} contains ${JSON.stringify(text)} ${count} times instead of once`
}

// `npm run lint` runs this file, because a guard that has moved would otherwise be noticed only by the next `npm run guards`.
if (process.argv[1] === import.meta.filename) {
  for (const guard of guards) {
    const why = whyNotFound(root, guard)
    if (why === undefined) continue
    process.stderr.write(`The guard "${guard.name}": ${why}. Change its row in scripts/guards/table.js.\n`)
    process.exitCode = 1
  }
}
