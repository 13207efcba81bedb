import { isHigherBetter, ratioOf, formatFigure, compareWithTarget } from './report.js'

/** @typedef {import('./report.js').Row} Row */

const WIDTH = 960
const LEFT_MARGIN = 400
const RIGHT_MARGIN = 120
const LINE = 18
const HEADER = 92
/** The scale is logarithmic, from 1/64 to 64 times. */
const MAX_DOUBLINGS = 6

const STYLE = `
  svg { font: 12px system-ui, sans-serif; --ink: #1b1f24; --quiet: #59636e; --line: #d1d9e0; --paper: #ffffff; --bar: #4c6fbf; --good: #1a7f37; --bad: #cf222e }
  @media (prefers-color-scheme: dark) {
    svg { --ink: #e6edf3; --quiet: #9198a1; --line: #3d444d; --paper: #0d1117; --bar: #7d9ae0; --good: #3fb950; --bad: #f85149 }
  }
  .paper { fill: var(--paper) } text { fill: var(--ink); stroke: var(--paper); stroke-width: 3; paint-order: stroke } .quiet { fill: var(--quiet) } .end { text-anchor: end } .mid { text-anchor: middle }
  .title { font-weight: 600 } .big { font-size: 16px; font-weight: 600 } .line { stroke: var(--line) } .even { stroke: var(--quiet) }
  .bar { fill: var(--bar) } .target { stroke: var(--ink); stroke-width: 2 } .good { fill: var(--good) } .bad { fill: var(--bad) }`

/**
 * Draws an SVG with the ratio of each figure to its baseline. Bars to the right are better.
 *
 * @param {readonly import('./report.js').Measured[]} parts
 * @param {string} machine the machine, in words
 */
export function plot(parts, machine) {
  const groups = parts
    .map(({ title, columns, rows }) => ({
      title,
      columns,
      rows: rows.filter((row) => ratioOf(row) !== undefined),
    }))
    .filter(({ rows }) => rows.length > 0)
  const height = HEADER + 20 + groups.reduce((sum, { rows }) => sum + (rows.length + 2.5) * LINE, 0)
  let y = HEADER
  const body = groups.flatMap(({ title, columns, rows }) => {
    y += LINE * 2
    const head = text(16, y, `${title}: ${columns[0]} compared with ${columns[1]}`, 'title')
    const lines = rows.map((row) => bar(row, (y += LINE)))
    y += LINE * 0.5
    return [head, ...lines]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>Each figure compared with its baseline</title>
<style>${STYLE}
</style>
<rect class="paper" width="${WIDTH}" height="${height}"/>
${text(16, 28, 'The sandbox compared with simpler servers', 'big')}
${text(16, 46, machine, 'quiet')}
${text(16, 62, 'Bars are ratios. Vertical marks are targets.', 'quiet')}
${axis(height)}
${body.join('\n')}
</svg>
`
}

/** @param {number} height */
function axis(height) {
  const powers = Array.from({ length: 2 * MAX_DOUBLINGS + 1 }, (_, step) => step - MAX_DOUBLINGS)
  const shownPowers = powers.filter((power) => power % 2 === 0)
  return [
    ...shownPowers.map((power) => {
      const x = xOf(2 ** power)
      const label = power === 0 ? 'equal' : `${2 ** Math.abs(power)}×`
      return `<path class="${power === 0 ? 'even' : 'line'}" d="M${x} ${HEADER}V${height - 12}"/>${text(x, HEADER - 6, label, 'quiet mid')}`
    }),
    text(xOf(2 ** -3), HEADER - 22, '← worse', 'quiet mid'),
    text(xOf(2 ** 3), HEADER - 22, 'better →', 'quiet mid'),
  ].join('\n')
}

/**
 * @param {Row} row
 * @param {number} y
 */
function bar(row, y) {
  const verdict = compareWithTarget(row)
  const ratio = ratioOf(row) ?? 1
  const [from, to] = [xOf(1), xOf(toBetter(row, ratio))]
  const tone = verdict === undefined ? 'bar' : verdict.isReached ? 'good' : 'bad'
  const target =
    row.target !== undefined && 'ratio' in row.target ? xOf(toBetter(row, row.target.ratio)) : undefined
  return [
    text(LEFT_MARGIN - 12, y, `${row.what}`, 'end'),
    `<rect class="${tone}" x="${Math.min(from, to)}" y="${y - 10}" width="${Math.max(1, Math.abs(to - from))}" height="11" rx="2"/>`,
    target === undefined ? '' : `<path class="target" d="M${target} ${y - 13}V${y + 4}"/>`,
    text(
      WIDTH - RIGHT_MARGIN + 12,
      y,
      `${verdict === undefined ? '' : verdict.isReached ? '✓ ' : '✕ '}${formatFigure(row.measured)} ${row.unit}`,
      'quiet',
    ),
  ].join('')
}

/**
 * @param {Row} row
 * @param {number} ratio
 */
const toBetter = (row, ratio) => (isHigherBetter(row) ? ratio : 1 / ratio)

/** @param {number} better */
function xOf(better) {
  const doublings = Math.max(-MAX_DOUBLINGS, Math.min(MAX_DOUBLINGS, Math.log2(better)))
  const width = WIDTH - LEFT_MARGIN - RIGHT_MARGIN
  return Math.round((LEFT_MARGIN + (width * (doublings + MAX_DOUBLINGS)) / (2 * MAX_DOUBLINGS)) * 10) / 10
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {string} name
 */
const text = (x, y, words, name) => `<text class="${name}" x="${x}" y="${y}">${escapeXml(words)}</text>`

/** @param {string} words */
const escapeXml = (words) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
