import { arch, cpus, platform } from 'node:os'
import { parts } from './parts.js'
import { plot } from './plot.js'
import { stopAll } from './processes.js'
import { compareWithTarget } from './report.js'
import { formatHeader, formatRow, formatVerdicts } from './table.js'

/** No part starts after this time, except with `isFull`. The longest part takes a minute or two. */
const MAX_MS = 8 * 60_000

/**
 * Runs parts of the bench and writes their table row by row. Returns all figures as JSON and as an SVG chart.
 *
 * @param {readonly string[]} names
 * @param {{ isQuick: boolean, isFull: boolean }} options
 * @param {(text: string) => void} write
 */
export async function measure(names, options, write) {
  /** @type {import('./report.js').Measured[]} */
  const measured = []
  /** @type {string[]} */
  const skipped = []
  const began = performance.now()
  try {
    for (const name of names) {
      if (!options.isFull && performance.now() - began > MAX_MS) {
        skipped.push(name)
        continue
      }
      const part = await parts[name]?.()
      if (part === undefined) continue
      const { title, columns } = part
      /** @type {import('./report.js').Row[]} */
      const rows = []
      measured.push({ name, title, columns, rows })
      write(formatHeader(part))
      await part.run({
        ...options,
        addRow(row) {
          rows.push(row)
          write(formatRow(row, columns.length))
        },
      })
    }
  } finally {
    await stopAll()
  }
  write(formatVerdicts(measured))
  if (skipped.length > 0) {
    write(
      `\nNot run, because the time was up: ${skipped.join(', ')}. Run them with: npm run bench -- ${skipped.join(' ')}\n`,
    )
  }

  const withVerdicts = measured.map((part) => ({
    ...part,
    verdicts: part.rows.flatMap((row) => compareWithTarget(row) ?? []),
  }))
  return {
    json: `${JSON.stringify({ machine: describeMachine(), ...options, parts: withVerdicts, skipped }, null, 2)}\n`,
    svg: plot(measured, describeMachine()),
  }
}

function describeMachine() {
  const [cpu] = cpus()
  return `Node ${process.version} on ${platform()} ${arch()}, ${cpus().length} × ${cpu?.model.trim() || 'unknown'}`
}
