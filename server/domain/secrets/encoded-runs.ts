import { LINE_FEED, CARRIAGE_RETURN, type Characters } from './characters.ts'
import { hexValue } from './unescape.ts'

/** An encoding that writes bytes with the characters of an alphabet. */
interface Encoding {
  readonly bits: 4 | 6
  /** The value of a character, or -1. */
  readonly valueOf: (code: number) => number
}

const HEX: Encoding = { bits: 4, valueOf: hexValue }

/** Base64 with either of its alphabets: with `+` and `/`, or with `-` and `_`. */
const BASE64_VALUES = new Int8Array(128).fill(-1)
for (const [value, character] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries()) {
  BASE64_VALUES[character.charCodeAt(0)] = value
}
BASE64_VALUES['-'.charCodeAt(0)] = 62
BASE64_VALUES['_'.charCodeAt(0)] = 63

const BASE64: Encoding = { bits: 6, valueOf: (code) => (code < 128 ? BASE64_VALUES[code]! : -1) }

/**
 * Decodes every part of a text that may be base64 or hexadecimal and has at least `minBytes` bytes. The encoded text may start
 * anywhere in the part, so the part is decoded once for each possible alignment. Line breaks are skipped.
 */
export function* decodeRuns(input: Characters, minBytes: number): Generator<Characters> {
  for (const encoding of [BASE64, HEX]) {
    for (const run of findRuns(input.codes, encoding, minBytes)) yield* decodeRun(input, run, encoding)
  }
}

/**
 * Whether a text may contain base64 or hexadecimal with at least `minBytes` bytes. Finding that out is faster than decoding it.
 */
export function mayHaveRuns(codes: Uint16Array, minBytes: number): boolean {
  const minLength = Math.ceil((minBytes * 8) / BASE64.bits)
  let length = 0
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at]!
    // Hexadecimal digits are also base64 characters, so this counts both.
    if (BASE64.valueOf(code) >= 0) length += 1
    else if (code !== LINE_FEED && code !== CARRIAGE_RETURN) length = 0
    if (length >= minLength) return true
  }
  return false
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

function* decodeRun(
  input: Characters,
  { from, to, length }: Run,
  { bits, valueOf }: Encoding,
): Generator<Characters> {
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
    const codes = new Uint16Array(bytes)
    for (let byte = 0; byte < bytes; byte += 1) {
      const first = offset + Math.floor((byte * 8) / bits)
      const joined = (values[first]! << bits) | values[first + 1]!
      codes[byte] = (joined >> (2 * bits - 8 - ((byte * 8) % bits))) & 255
    }
    const decoded = {
      codes,
      startOf: (byte: number) => input.startOf(places[offset + Math.floor((byte * 8) / bits)]!),
      endOf: (byte: number) => input.endOf(places[offset + Math.floor((byte * 8 + 7) / bits)]!),
    }
    yield decoded
    if (isUtf16(codes)) yield withoutZeros(decoded)
  }
}

/** In UTF-16, every second byte of most texts is zero. */
const isUtf16 = (codes: Uint16Array): boolean => {
  let zeros = 0
  for (let at = 0; at < codes.length; at += 1) if (codes[at] === 0) zeros += 1
  return zeros * 4 > codes.length
}

function withoutZeros({ codes, startOf, endOf }: Characters): Characters {
  const places = Int32Array.from(codes.keys()).filter((at) => codes[at] !== 0)
  return {
    codes: codes.filter((code) => code !== 0),
    startOf: (at) => startOf(places[at]!),
    endOf: (at) => endOf(places[at]!),
  }
}
