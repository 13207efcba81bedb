import { ratioOf, formatFigure, compareWithTarget } from './report.js'

const NAME_WIDTH = 62
const FIGURE_WIDTH = 13

/** @param {import('./report.js').Part} part */
export const formatHeader = ({ title, columns }) =>
  `\n${title.padEnd(NAME_WIDTH)}${columns.map((name) => name.padStart(FIGURE_WIDTH)).join('')}${columns.length > 1 ? 'ratio'.padStart(8) : ''}\n`

/**
 * @param {import('./report.js').Row} row
 * @param {number} columns the number of columns with figures
 */
export function formatRow(row, columns) {
  const { what, unit, measured, baseline, floor } = row
  const figures = [measured, baseline, floor]
    .slice(0, columns)
    .map((figure) => (figure === undefined ? '' : formatFigure(figure)))
  const ratio = ratioOf(row)
  const verdict = compareWithTarget(row)
  return [
    `${markOf(verdict)} ${`${what}, ${unit}`.padEnd(NAME_WIDTH - 2)}`,
    ...figures.map((figure) => figure.padStart(FIGURE_WIDTH)),
    ratio === undefined ? '' : `${ratio.toFixed(2)}×`.padStart(8),
    verdict === undefined ? '' : `  target ${verdict.target}`,
    '\n',
  ].join('')
}

/**
 * Formats all targets, and whether they were reached.
 *
 * @param {readonly import('./report.js').Measured[]} parts
 */
export function formatVerdicts(parts) {
  const verdicts = parts.flatMap(({ name, rows }) =>
    rows.flatMap((row) => {
      const verdict = compareWithTarget(row)
      return verdict === undefined ? [] : [{ name, ...verdict }]
    }),
  )
  if (verdicts.length === 0) return ''
  const reached = verdicts.filter(({ isReached }) => isReached).length
  return [
    `\nReached: ${reached} of ${verdicts.length}\n`,
    ...verdicts.map(
      ({ name, what, target, measured, isReached }) =>
        `${isReached ? '✓' : '✕'} ${`${name}: ${what}`.padEnd(NAME_WIDTH + 4)}${measured.padStart(FIGURE_WIDTH)}  target ${target}\n`,
    ),
  ].join('')
}

/** @param {import('./report.js').Verdict | undefined} verdict */
const markOf = (verdict) => (verdict === undefined ? ' ' : verdict.isReached ? '✓' : '✕')
