import { writeFileSync } from 'node:fs'
import { buildIfStale } from './build.js'
import { setUp } from './setup.js'

setUp()
buildIfStale()
// Its dependencies are there only now.
const benches = {
  inspector: async () => (await import('./bench/inspector.js')).benchInspector,
  tunnels: async () => (await import('./bench/tunnels.js')).benchTunnels,
}

/** @type {import('./bench/inspector.js').Figure[]} */
const figures = []
const isJson = process.argv.includes('--json')

const named = process.argv.slice(2).filter((argument) => argument !== '--json')
const stray = named.find((name) => !Object.hasOwn(benches, name))
if (stray !== undefined) {
  process.stderr.write(`There is no bench ${stray}. There are ${Object.keys(benches).join(' and ')}.\n`)
  process.exit(2)
}
for (const [name, load] of Object.entries(benches)) {
  if (named.length === 0 || named.includes(name)) await (await load())(tell)
}
if (isJson) writeFileSync(1, `${JSON.stringify({ figures }, null, 2)}\n`)

/** @param {import('./bench/inspector.js').Figure} figure */
function tell(figure) {
  figures.push(figure)
  const { what, measured, asked, unit } = figure
  const mark = asked === undefined ? ' ' : measured <= asked ? '✓' : '✕'
  const shown = measured.toFixed(measured < 10 ? 2 : 1)
  const line = `${mark} ${what.padEnd(58)} ${shown.padStart(9)} ${unit.padEnd(6)} ${asked === undefined ? '' : `asked ≤ ${asked}`}\n`
  ;(isJson ? process.stderr : process.stdout).write(line)
}
