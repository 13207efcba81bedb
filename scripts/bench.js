import { writeFileSync } from 'node:fs'
import { parts } from './bench/parts.js'
import { buildIfStale } from './build-if-stale.js'
import { readOptions } from './read-options.js'
import { setUp } from './setup.js'

const partNames = Object.keys(parts)
const options = readOptions({
  command: 'npm run bench --',
  text: 'Measures the built sandbox next to simpler servers. Runs every part, or the named ones.',
  operands: partNames,
  flags: {
    quick: { type: 'boolean', text: 'Only checks that the parts work. The figures mean nothing.' },
    full: { type: 'boolean', text: 'Also measures a million events and calls. Takes a long time.' },
    json: { type: 'string', value: 'file', text: 'Writes all figures to this file.' },
    svg: { type: 'string', value: 'file', text: 'Writes a chart to this file.' },
  },
})
await setUp()
buildIfStale()
// Imported here, because their dependencies may be missing before the setup.
const { measure } = await import('./bench/measure.js')
const { stopAll } = await import('./bench/processes.js')

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => void stopAll().then(() => process.exit(130)))
}
// The program that reads the output may close the pipe.
process.stdout.once('error', () => void stopAll().then(() => process.exit(0)))

const names = options.operands.length === 0 ? partNames : options.operands
const { quick: isQuick = false, full: isFull = false, json, svg } = options
const report = await measure(names, { isQuick, isFull }, (text) => process.stdout.write(text))
if (json !== undefined) writeFileSync(json, report.json)
if (svg !== undefined) writeFileSync(svg, report.svg)
