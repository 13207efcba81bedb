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

/** @param {import('./report.js').Verdict | undefined} verdict */
export const markOf = (verdict) => (verdict === undefined ? ' ' : verdict.isReached ? '✓' : '✕')
