import { writeFileSync } from 'node:fs'
import { buildIfStale } from './build.js'
import { setUp } from './setup.js'

setUp()
buildIfStale()
// Its dependencies are there only now.
const { benchInspector } = await import('./bench/inspector.js')

/** @type {import('./bench/inspector.js').Figure[]} */
const figures = []
const isJson = process.argv.includes('--json')

await benchInspector((figure) => {
  figures.push(figure)
  const { what, measured, asked, unit } = figure
  const mark = asked === undefined ? ' ' : measured <= asked ? '✓' : '✕'
  const line = `${mark} ${what.padEnd(58)} ${measured.toFixed(1).padStart(9)} ${unit.padEnd(6)} ${asked === undefined ? '' : `asked ≤ ${asked}`}\n`
  ;(isJson ? process.stderr : process.stdout).write(line)
})
if (isJson) writeFileSync(1, `${JSON.stringify({ figures }, null, 2)}\n`)
