import { TAB, LINE_FEED, CARRIAGE_RETURN, SPACE, EQUALS, BACKSLASH, type Characters } from './characters.ts'

/**
 * Joins the lines of a text. Removes line breaks, the indentation after them, and the `=` or backslash that continues a line in
 * emails and shells. `undefined` if the text has only one line.
 */
export function joinLines(input: Characters): Characters | undefined {
  const { codes } = input
  if (!codes.includes(LINE_FEED)) return undefined
  const joined = new Uint16Array(codes.length)
  const places = new Int32Array(codes.length)
  let length = 0
  for (let at = 0; at < codes.length; at += 1) {
    if (codes[at] !== LINE_FEED) {
      joined[length] = codes[at]!
      places[length] = at
      length += 1
      continue
    }
    if (joined[length - 1] === CARRIAGE_RETURN) length -= 1
    if (joined[length - 1] === EQUALS || joined[length - 1] === BACKSLASH) length -= 1
    while (codes[at + 1] === SPACE || codes[at + 1] === TAB) at += 1
  }
  return {
    codes: joined.subarray(0, length),
    startOf: (at) => input.startOf(places[at]!),
    endOf: (at) => input.endOf(places[at]!),
  }
}
