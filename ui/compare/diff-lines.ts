export interface DiffLine {
  readonly kind: 'equal' | 'removed' | 'added'
  readonly text: string
}

/** The comparison of more pairs of lines would take too long. The whole differing part then counts as replaced. */
const MAX_PAIRS = 4_000_000

/** The shortest list of removed and added lines that turns one text into another. */
export function diffLines(left: readonly string[], right: readonly string[]): DiffLine[] {
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) start++
  let end = 0
  while (
    end < left.length - start &&
    end < right.length - start &&
    left.at(-1 - end) === right.at(-1 - end)
  ) {
    end++
  }
  return [
    ...left.slice(0, start).map(lineOf('equal')),
    ...diffMiddle(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...left.slice(left.length - end).map(lineOf('equal')),
  ]
}

const lineOf =
  (kind: DiffLine['kind']) =>
  (text: string): DiffLine => ({ kind, text })

/** Compares by the longest common subsequence. `common` at (i, j) is the length of this subsequence for the lines from i and j on. */
function diffMiddle(left: readonly string[], right: readonly string[]): DiffLine[] {
  if (left.length * right.length > MAX_PAIRS) {
    return [...left.map(lineOf('removed')), ...right.map(lineOf('added'))]
  }
  const width = right.length + 1
  const common = new Uint32Array((left.length + 1) * width)
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      common[i * width + j] =
        left[i] === right[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
    }
  }
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      lines.push({ kind: 'equal', text: left[i++]! })
      j++
    } else if (
      j === right.length ||
      (i < left.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
    ) {
      lines.push({ kind: 'removed', text: left[i++]! })
    } else {
      lines.push({ kind: 'added', text: right[j++]! })
    }
  }
  return lines
}

/** The lines of a body. A form is one line, so each of its fields counts as a line. */
export const bodyLines = (text: string, isForm: boolean): string[] =>
  isForm ? text.split(/(?=&)/) : text.split(/\r?\n/)
