import { arch, cpus, platform } from 'node:os'
import { parts } from './parts.js'
import { plot } from './plot.js'
import { stopAll } from './processes.js'
import { judgeRow } from './report.js'
import { formatHeader, formatRow, formatVerdicts } from './table.js'

/** No part is begun after that, but where everything is asked for. The longest takes a minute or two. */
const MAX_MS = 8 * 60_000

/**
 * Runs parts of the bench, writes their table as it grows, and gives everything as JSON and as a picture.
 *
 * @param {readonly string[]} names
 * @param {{ isQuick: boolean, isFull: boolean }} options
 * @param {(text: string) => void} write
 */
export async function measure(names, options, write) {
  /** @type {import('./report.js').Measured[]} */
  const measured = []
  /** @type {string[]} */
  const left = []
  const began = performance.now()
  try {
    for (const name of names) {
      if (!options.isFull && performance.now() - began > MAX_MS) {
        left.push(name)
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
        row(row) {
          rows.push(row)
          write(formatRow(row))
        },
      })
    }
  } finally {
    await stopAll()
  }
  write(formatVerdicts(measured))
  if (left.length > 0) {
    write(`\nTime was up before ${left.join(', ')}. Run npm run bench -- ${left.join(' ')}\n`)
  }

  const withVerdicts = measured.map((part) => ({
    ...part,
    verdicts: part.rows.flatMap((row) => judgeRow(row) ?? []),
  }))
  return {
    json: `${JSON.stringify({ machine: machine(), ...options, parts: withVerdicts, left }, null, 2)}\n`,
    svg: plot(measured, machine()),
  }
}

function machine() {
  const [cpu] = cpus()
  return `Node ${process.version} on ${platform()} ${arch()}, ${cpus().length} × ${cpu?.model.trim() || 'unknown'}`
}
