/**
 * One line of what a part measured: figures side by side, and what is asked of one of them or of their ratio.
 * More is better where they are counted by the second, less is otherwise.
 *
 * @typedef {object} Row
 * @property {string} what
 * @property {string} unit
 * @property {number} measured
 * @property {number} [beside] the same, of what it is compared with
 * @property {number} [floor] the same, of what does the least
 * @property {number} [ratio] of measured to beside, as pairs of runs make it; by default of the two figures
 * @property {{ value: number } | { ratio: number }} [asked]
 */
/** @typedef {{ what: string, asked: string, measured: string, isReached: boolean }} Verdict */
/** @typedef {{ isQuick: boolean, isFull: boolean, row: (row: Row) => void }} Bench */
/**
 * @typedef {object} Part
 * @property {string} title
 * @property {readonly string[]} columns what stands in the columns `measured`, `beside` and `floor`
 * @property {(bench: Bench) => Promise<void>} run
 */
/** @typedef {{ name: string, title: string, columns: readonly string[], rows: Row[] }} Measured */

/** @param {Row} row */
export const isHigherBetter = ({ unit }) => unit.startsWith('/')

/** @param {Row} row */
export const ratioOf = ({ measured, beside, ratio }) =>
  ratio ?? (beside === undefined ? undefined : measured / beside)

/**
 * @param {Row} row
 * @returns {Verdict | undefined}
 */
export function judgeRow(row) {
  const { what, unit, measured, asked } = row
  if (asked === undefined) return undefined
  const isRatio = 'ratio' in asked
  const [figure, limit] = isRatio ? [ratioOf(row) ?? Number.NaN, asked.ratio] : [measured, asked.value]
  const suffix = isRatio ? '×' : ` ${unit}`
  return {
    what,
    asked: `${isHigherBetter(row) ? '≥' : '≤'} ${limit}${suffix}`,
    measured: `${isRatio ? figure.toFixed(2) : formatFigure(figure)}${suffix}`,
    isReached: isHigherBetter(row) ? figure >= limit : figure <= limit,
  }
}

/**
 * As many digits as a figure of a noisy machine deserves.
 *
 * @param {number} figure
 */
export const formatFigure = (figure) =>
  figure >= 100
    ? Math.round(figure).toLocaleString('en-US').replaceAll(',', ' ')
    : figure.toFixed(figure >= 10 ? 1 : 2)
