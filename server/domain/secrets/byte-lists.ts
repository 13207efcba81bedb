import type { Characters } from './characters.ts'

/** At least eight bytes as hexadecimal digits with separators: `53 76 63`, `53:76:63`, `0x53, 0x76` or `<Buffer 53 76>`. */
const HEX_LIST = /(?:0x)?[\da-f]{2}(?:[\s,:-]{1,3}(?:0x)?[\da-f]{2}){7,}/gi

/** At least eight bytes of a Buffer in JSON: `[83,118,99]`. */
const DECIMAL_LIST = /\d{1,3}(?:\s{0,2},\s{0,2}\d{1,3}){7,}/g

const MIN_BYTES = 8

/** Whether a text has enough separators to contain a list of bytes. Finding that out is faster than a search. */
export function mayHaveByteLists(codes: Uint16Array): boolean {
  let separators = 0
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at]!
    const isDigit = code >= 48 && code <= 57
    const isSeparator = code === 32 || code === 44 || code === 45 || code === 58 || code === 10 || code === 9
    if (isSeparator) separators += 1
    else if (!isDigit && !(code >= 97 && code <= 102) && !(code >= 65 && code <= 70) && code !== 120)
      separators = 0
    if (separators >= MIN_BYTES - 1) return true
  }
  return false
}

export function* decodeByteLists(input: Characters): Generator<Characters> {
  const text = toText(input.codes)
  for (const [list, numbers, base] of [
    [HEX_LIST, /(?:0x)?([\da-f]{2})/gi, 16],
    [DECIMAL_LIST, /(\d{1,3})/g, 10],
  ] as const) {
    for (const { 0: match, index } of text.matchAll(list)) {
      const bytes = [...match.matchAll(numbers)].map((one) => ({
        code: Number.parseInt(one[1]!, base),
        begin: index + one.index,
        end: index + one.index + one[0].length,
      }))
      yield {
        codes: Uint16Array.from(bytes, ({ code }) => code),
        startOf: (at) => input.startOf(bytes[at]!.begin),
        endOf: (at) => input.endOf(bytes[at]!.end - 1),
      }
    }
  }
}

const CHUNK = 10_000

/** Converts in slices, because a call with a million arguments would overflow the stack. */
function toText(codes: Uint16Array): string {
  const parts: string[] = []
  for (let at = 0; at < codes.length; at += CHUNK) {
    parts.push(String.fromCharCode(...codes.subarray(at, at + CHUNK)))
  }
  return parts.join('')
}
