import { emptyCharacters, type Characters } from './characters.ts'
import { hexValue } from './unescape.ts'

/** An encoding in which a few characters of an alphabet stand for a few bytes. */
interface Encoding {
  readonly bits: 4 | 6
  /** The value of a character, or -1. */
  readonly valueOf: (code: number) => number
}

const HEX: Encoding = { bits: 4, valueOf: hexValue }

/** Both alphabets, with `+` and `/` or with `-` and `_`. */
const BASE64: Encoding = {
  bits: 6,
  valueOf(code) {
    if (code >= 65 && code <= 90) return code - 65
    if (code >= 97 && code <= 122) return code - 71
    if (code >= 48 && code <= 57) return code + 4
    if (code === 43 || code === 45) return 62
    return code === 47 || code === 95 ? 63 : -1
  },
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/**
 * Decodes each part of a text that can be base64 or hexadecimal and has at least `minBytes` bytes. Nobody knows where in such a
 * part the encoded text begins, so the part is decoded once from each of its first characters. Line breaks are skipped.
 */
export function* decodeRuns(input: Characters, minBytes: number): Generator<Characters> {
  for (const encoding of [BASE64, HEX]) {
    for (const run of findRuns(input.codes, encoding, minBytes)) yield* decodeRun(input, run, encoding)
  }
}

/** A part of a text whose characters belong to the alphabet, or are line breaks. */
interface Run {
  readonly from: number
  readonly to: number
  /** The number of characters without line breaks. */
  readonly length: number
}

function* findRuns(codes: Uint16Array, { bits, valueOf }: Encoding, minBytes: number): Generator<Run> {
  const minLength = Math.ceil((minBytes * 8) / bits)
  let from = 0
  let length = 0
  for (let at = 0; at <= codes.length; at += 1) {
    const code = codes[at]
    if (code !== undefined && valueOf(code) >= 0) length += 1
    else if (code !== LINE_FEED && code !== CARRIAGE_RETURN) {
      if (length >= minLength) yield { from, to: at, length }
      from = at + 1
      length = 0
    }
  }
}

function* decodeRun(input: Characters, { from, to, length }: Run, { bits, valueOf }: Encoding) {
  const values = new Uint8Array(length)
  const places = new Int32Array(length)
  let count = 0
  for (let at = from; at < to; at += 1) {
    const value = valueOf(input.codes[at]!)
    if (value < 0) continue
    values[count] = value
    places[count] = at
    count += 1
  }
  const offsets = bits === 6 ? 4 : 2
  for (let offset = 0; offset < offsets; offset += 1) {
    const bytes = Math.floor(((length - offset) * bits) / 8)
    const output = emptyCharacters(bytes)
    for (let byte = 0; byte < bytes; byte += 1) {
      const firstBit = byte * 8
      const first = offset + Math.floor(firstBit / bits)
      const last = offset + Math.floor((firstBit + 7) / bits)
      const joined = (values[first]! << bits) | values[first + 1]!
      output.codes[byte] = (joined >> (2 * bits - 8 - (firstBit % bits))) & 255
      output.starts[byte] = input.starts[places[first]!]!
      output.ends[byte] = input.ends[places[last]!]!
    }
    yield output
  }
}
