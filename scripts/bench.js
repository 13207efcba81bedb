import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parts } from './bench/parts.js'
import { buildIfStale } from './build-if-stale.js'
import { fail } from './run.js'
import { setUp } from './setup.js'

const { names, json, svg, ...options } = readArguments()
await setUp()
buildIfStale()
// Their dependencies are there only now.
const { measure } = await import('./bench/measure.js')
const { stopAll: endAll } = await import('./bench/processes.js')

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => void endAll().then(() => process.exit(130)))
}
// Whoever reads the table may stop reading.
process.stdout.once('error', () => void endAll().then(() => process.exit(0)))

const report = await measure(names, options, (text) => process.stdout.write(text))
if (json !== undefined) writeFileSync(json, report.json)
if (svg !== undefined) writeFileSync(svg, report.svg)

function readArguments() {
  const { values, positionals } = parsed()
  const stray = positionals.find((name) => !Object.hasOwn(parts, name))
  if (stray !== undefined) fail(`There is no bench ${stray}. There are ${Object.keys(parts).join(', ')}.`)
  return {
    names: positionals.length === 0 ? Object.keys(parts) : positionals,
    isQuick: values.quick === true,
    isFull: values.full === true,
    json: values.json,
    svg: values.svg,
  }
}

function parsed() {
  const flags = /** @type {const} */ ({
    quick: { type: 'boolean' },
    full: { type: 'boolean' },
    json: { type: 'string' },
    svg: { type: 'string' },
  })
  try {
    return parseArgs({ allowPositionals: true, options: flags })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return fail(
      `${why} Run \`npm run bench -- [<part>…] [--quick | --full] [--json <file>] [--svg <file>]\`.`,
    )
  }
}
