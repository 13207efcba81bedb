import { writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import { parseArgs } from 'node:util'
import { buildIfStale } from './build.js'
import { fail } from './run.js'
import { setUp } from './setup.js'

/** @type {Readonly<Record<string, () => Promise<import('./bench/report.js').Part>>>} */
const parts = {
  operations: async () => (await import('./bench/operations.js')).operations,
  payments: async () => (await import('./bench/payments.js')).payments,
  delivery: async () => (await import('./bench/delivery.js')).delivery,
  stream: async () => (await import('./bench/stream.js')).stream,
  sizes: async () => (await import('./bench/sizes.js')).sizes,
  start: async () => (await import('./bench/start.js')).start,
  memory: async () => (await import('./bench/memory.js')).memory,
  inspector: async () => (await import('./bench/inspector.js')).inspector,
  tunnels: async () => (await import('./bench/tunnels.js')).tunnels,
}

const { names, quick, full, json, svg } = readArguments()
setUp()
buildIfStale()
// Their dependencies are there only now.
const { endAll } = await import('./bench/processes.js')
const { headLine, rowLine, verdictLines } = await import('./bench/table.js')
const { verdictOn } = await import('./bench/report.js')
const { plot } = await import('./bench/plot.js')

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => void endAll().then(() => process.exit(130)))
}

process.stdout.once('error', () => void endAll().then(() => process.exit(1)))

/** @type {import('./bench/report.js').Measured[]} */
const measured = []
try {
  for (const name of names) await measure(name)
} finally {
  await endAll()
}
process.stdout.write(verdictLines(measured))
if (json !== undefined) writeFileSync(json, `${JSON.stringify(asJson(), null, 2)}\n`)
if (svg !== undefined) writeFileSync(svg, plot(measured, machine()))

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
    machine: machine(),
    parts: measured.map((part) => ({
      ...part,
      verdicts: part.rows.flatMap((row) => verdictOn(row) ?? []),
    })),
  }
}

function machine() {
  const [cpu] = cpus()
  return `Node ${process.version} on ${platform()} ${arch()}, ${cpus().length} × ${cpu?.model.trim() || 'unknown'}`
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: 'boolean' },
        full: { type: 'boolean' },
        json: { type: 'string' },
        svg: { type: 'string' },
      },
    })
    const stray = positionals.find((name) => !Object.hasOwn(parts, name))
    if (stray !== undefined) fail(`There is no bench ${stray}. There are ${Object.keys(parts).join(', ')}.`)
    return {
      names: positionals.length === 0 ? Object.keys(parts) : positionals,
      quick: values.quick === true,
      full: values.full === true,
      json: values.json,
      svg: values.svg,
    }
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)} Run npm run bench -- <part>….`)
  }
}
