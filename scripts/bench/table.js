import { ratioIn, shown, verdictOn } from './report.js'

const WHAT = 62
const FIGURE = 13

/** @param {import('./report.js').Part} part */
export const headLine = ({ title, columns }) =>
  `\n${title.padEnd(WHAT)}${columns.map((name) => name.padStart(FIGURE)).join('')}${columns.length > 1 ? 'ratio'.padStart(8) : ''}\n`

/** @param {import('./report.js').Row} row */
export function rowLine(row) {
  const { what, unit, measured, beside, floor } = row
  const figures = [measured, beside, floor].flatMap((figure) => (figure === undefined ? [] : [shown(figure)]))
  const ratio = ratioIn(row)
  const verdict = verdictOn(row)
  return [
    `${markOf(verdict)} ${`${what}, ${unit}`.padEnd(WHAT - 2)}`,
    ...figures.map((figure) => figure.padStart(FIGURE)),
    ratio === undefined ? '' : `${ratio.toFixed(2)}×`.padStart(8),
    verdict === undefined ? '' : `  asked ${verdict.asked}`,
    '\n',
  ].join('')
}

/**
 * What was asked, and whether it was reached.
 *
 * @param {readonly import('./report.js').Measured[]} parts
 */
export function verdictLines(parts) {
  const verdicts = parts.flatMap(({ name, rows }) =>
    rows.flatMap((row) => {
      const verdict = verdictOn(row)
      return verdict === undefined ? [] : [{ name, ...verdict }]
    }),
  )
  if (verdicts.length === 0) return ''
  const reached = verdicts.filter(({ isReached }) => isReached).length
  return [
    `\nReached: ${reached} of ${verdicts.length}\n`,
    ...verdicts.map(
      ({ name, what, asked, measured, isReached }) =>
        `${isReached ? '✓' : '✕'} ${`${name}: ${what}`.padEnd(WHAT + 4)}${measured.padStart(FIGURE)}  asked ${asked}\n`,
    ),
  ].join('')
}

/** @param {import('./report.js').Verdict | undefined} verdict */
const markOf = (verdict) => (verdict === undefined ? ' ' : verdict.isReached ? '✓' : '✕')
