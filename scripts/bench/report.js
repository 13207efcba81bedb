/**
 * One measurement of a part, next to the same measurement of simpler servers. A unit that begins with a slash (`/s`) is a
 * rate: higher is better. Otherwise lower is better.
 *
 * @typedef {object} Row
 * @property {string} what
 * @property {string} unit
 * @property {number} measured
 * @property {number} [baseline] the same of the server that it is compared with
 * @property {number} [floor] the same of the simplest possible server
 * @property {number} [ratio] of `measured` to `baseline`: the median over pairs of runs. By default of the two figures.
 * @property {{ value: number } | { ratio: number }} [target]
 */
/** @typedef {{ what: string, target: string, measured: string, isReached: boolean }} Verdict */
/** @typedef {{ isQuick: boolean, isFull: boolean, addRow: (row: Row) => void }} PartRun */
/**
 * @typedef {object} Part
 * @property {string} title
 * @property {readonly string[]} columns the titles of the columns `measured`, `baseline` and `floor`
 * @property {(partRun: PartRun) => Promise<void>} run
 */
/** @typedef {{ name: string, title: string, columns: readonly string[], rows: Row[] }} Measured */

/** @param {Row} row */
export const isHigherBetter = ({ unit }) => unit.startsWith('/')

/** @param {Row} row */
export const ratioOf = ({ measured, baseline, ratio }) =>
  ratio ?? (baseline === undefined ? undefined : measured / baseline)

/**
 * @param {Row} row
 * @returns {Verdict | undefined}
 */
export function compareWithTarget(row) {
  const { what, unit, measured, target } = row
  if (target === undefined) return undefined
  const isRatio = 'ratio' in target
  const [figure, limit] = isRatio ? [ratioOf(row) ?? Number.NaN, target.ratio] : [measured, target.value]
  const suffix = isRatio ? '×' : ` ${unit}`
  return {
    what,
    target: `${isHigherBetter(row) ? '≥' : '≤'} ${limit}${suffix}`,
    measured: `${isRatio ? figure.toFixed(2) : formatFigure(figure)}${suffix}`,
    isReached: isHigherBetter(row) ? figure >= limit : figure <= limit,
  }
}

/**
 * Formats a figure with two or three digits. More would be noise.
 *
 * @param {number} figure
 */
export const formatFigure = (figure) =>
  figure >= 100
    ? Math.round(figure).toLocaleString('en-US').replaceAll(',', ' ')
    : figure.toFixed(figure >= 10 ? 1 : 2)
