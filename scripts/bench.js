import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildIfStale } from './build.js'
import { fail } from './run.js'
import { setUp } from './setup.js'

/** @type {Readonly<Record<string, () => Promise<import('./bench/report.js').Part>>>} */
const parts = {
  operations: async () => (await import('./bench/operations.js')).operations,
  inspector: async () => (await import('./bench/inspector.js')).inspector,
  tunnels: async () => (await import('./bench/tunnels.js')).tunnels,
}

const { names, quick, full, json } = readArguments()
setUp()
buildIfStale()
// Their dependencies are there only now.
const { endAll } = await import('./bench/processes.js')
const { headLine, rowLine } = await import('./bench/table.js')
const { verdictOn } = await import('./bench/report.js')

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => void endAll().then(() => process.exit(130)))
}

/** @type {import('./bench/report.js').Measured[]} */
const measured = []
try {
  for (const name of names) await measure(name)
} finally {
  await endAll()
}
if (json !== undefined) writeFileSync(json, `${JSON.stringify(asJson(), null, 2)}\n`)

/** @param {string} name */
async function measure(name) {
  const part = await /** @type {() => Promise<import('./bench/report.js').Part>} */ (parts[name])()
  const { title, columns } = part
  /** @type {import('./bench/report.js').Row[]} */
  const rows = []
  measured.push({ name, title, columns, rows })
  process.stdout.write(headLine(part))
  await part.run({
    isQuick: quick,
    isFull: full,
    row(row) {
      rows.push(row)
      process.stdout.write(rowLine(row))
    },
  })
}

function asJson() {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    parts: measured.map((part) => ({
      ...part,
      verdicts: part.rows.flatMap((row) => verdictOn(row) ?? []),
    })),
  }
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { quick: { type: 'boolean' }, full: { type: 'boolean' }, json: { type: 'string' } },
    })
    const stray = positionals.find((name) => !Object.hasOwn(parts, name))
    if (stray !== undefined) fail(`There is no bench ${stray}. There are ${Object.keys(parts).join(', ')}.`)
    return {
      names: positionals.length === 0 ? Object.keys(parts) : positionals,
      quick: values.quick === true,
      full: values.full === true,
      json: values.json,
    }
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)} Run npm run bench -- <part>….`)
  }
}
