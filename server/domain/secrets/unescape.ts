import {
  BACKSLASH,
  PERCENT,
  AMPERSAND,
  HASH,
  SEMICOLON,
  OPENING_BRACE,
  CLOSING_BRACE,
  LETTER_CAPITAL_U,
  LETTER_U,
  LETTER_X,
  type Characters,
} from './characters.ts'

/** The characters that backslash escapes stand for, by the character after the backslash. */
const BACKSLASH_ESCAPES: ReadonlyMap<number, number> = new Map(
  Object.entries({ '"': '"', "'": "'", '/': '/', '\\': '\\', '`': '`', n: '\n', r: '\r', t: '\t' }).map(
    ([sign, character]) => [sign.charCodeAt(0), character.charCodeAt(0)],
  ),
)

const NAMED_REFERENCES: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  ast: '*',
  bsol: '\\',
  colon: ':',
  comma: ',',
  commat: '@',
  dollar: '$',
  equals: '=',
  excl: '!',
  dash: '-',
  gt: '>',
  hyphen: '-',
  lbrace: '{',
  rbrace: '}',
  underbar: '_',
  lowbar: '_',
  lpar: '(',
  lt: '<',
  nbsp: ' ',
  num: '#',
  percnt: '%',
  period: '.',
  plus: '+',
  quest: '?',
  quot: '"',
  rpar: ')',
  semi: ';',
  sol: '/',
  verbar: '|',
}

/** Long enough for the longest name, and for numbers with many zeros. */
const MAX_REFERENCE_DIGITS = 20

/** How deep nested escapes are decoded. If there were no limit, a body full of escapes would take long. */
const MAX_DEPTH = 24

/**
 * Decodes percent-encoding, the backslash escapes of JSON and JavaScript, and the character references of HTML, until no escape
 * is left: `%2541`, `\\u0041` and `&amp;#65` all become `A`. `undefined` if the text has no escape.
 */
export function unescape(input: Characters): Characters | undefined {
  let current = input
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    if (!hasEscape(current.codes)) break
    const decoded = decodeOnce(current)
    if (decoded.codes.length === current.codes.length) break
    current = decoded
  }
  return current === input ? undefined : current
}

function hasEscape(codes: Uint16Array): boolean {
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at]
    if (code === PERCENT || code === BACKSLASH || code === AMPERSAND) return true
  }
  return false
}

function decodeOnce(input: Characters): Characters {
  const { codes } = input
  const decoded = new Uint16Array(codes.length)
  /** Where each decoded character starts in `input`. It ends where the next one starts. */
  const begins = new Int32Array(codes.length + 1)
  let length = 0
  for (let at = 0; at < codes.length;) {
    const escape = escapeAt(codes, at)
    decoded[length] = escape?.code ?? codes[at]!
    begins[length] = at
    length += 1
    at = escape?.end ?? at + 1
  }
  begins[length] = codes.length
  return {
    codes: decoded.subarray(0, length),
    startOf: (at) => input.startOf(begins[at]!),
    endOf: (at) => input.endOf(begins[at + 1]! - 1),
  }
}

type Base = 8 | 10 | 16

/** The character that an escape stands for, and where the escape ends. */
interface Escape {
  readonly code: number
  readonly end: number
}

function escapeAt(codes: Uint16Array, at: number): Escape | undefined {
  const first = codes[at]
  const second = codes[at + 1]
  if (first === PERCENT) {
    return second === LETTER_U ? readNumber(codes, at + 2, at + 6, 16) : readNumber(codes, at + 1, at + 3, 16)
  }
  if (first === AMPERSAND)
    return second === HASH ? readNumericReference(codes, at) : readNamedReference(codes, at)
  if (first !== BACKSLASH || second === undefined) return undefined
  if (second === LETTER_X) return readNumber(codes, at + 2, at + 4, 16)
  if (second === LETTER_U) {
    return codes[at + 2] === OPENING_BRACE ? readBraces(codes, at) : readNumber(codes, at + 2, at + 6, 16)
  }
  if (second === LETTER_CAPITAL_U) return readNumber(codes, at + 2, at + 10, 16)
  const code = BACKSLASH_ESCAPES.get(second)
  return code === undefined ? readNumber(codes, at + 1, at + 4, 8) : { code, end: at + 2 }
}

/** `\u{41}` */
function readBraces(codes: Uint16Array, at: number): Escape | undefined {
  const end = endOfDigits(codes, at + 3, 16)
  const escape = codes[end] === CLOSING_BRACE ? readNumber(codes, at + 3, end, 16) : undefined
  return escape && { code: escape.code, end: end + 1 }
}

/** `&#65;` and `&#x41;`. Browsers also read them without the semicolon. */
function readNumericReference(codes: Uint16Array, at: number): Escape | undefined {
  const isHex = ((codes[at + 2] ?? 0) | 32) === LETTER_X
  const base = isHex ? 16 : 10
  const from = at + (isHex ? 3 : 2)
  const end = endOfDigits(codes, from, base)
  const escape = readNumber(codes, from, end, base)
  return escape && { code: escape.code, end: codes[end] === SEMICOLON ? end + 1 : end }
}

/** `&amp;` */
function readNamedReference(codes: Uint16Array, at: number): Escape | undefined {
  const end = codes.subarray(at, at + MAX_REFERENCE_DIGITS).indexOf(SEMICOLON)
  if (end < 0) return undefined
  const name = String.fromCharCode(...codes.subarray(at + 1, at + end)).toLowerCase()
  if (!Object.hasOwn(NAMED_REFERENCES, name)) return undefined
  return { code: NAMED_REFERENCES[name]!.charCodeAt(0), end: at + end + 1 }
}

function endOfDigits(codes: Uint16Array, from: number, base: Base): number {
  let end = from
  while (end - from < MAX_REFERENCE_DIGITS && isDigit(codes[end] ?? 0, base)) end += 1
  return end
}

function readNumber(codes: Uint16Array, from: number, end: number, base: Base): Escape | undefined {
  let code = 0
  for (let at = from; at < end; at += 1) {
    if (!isDigit(codes[at] ?? 0, base)) return undefined
    code = code * base + hexValue(codes[at]!)
  }
  return from < end && code <= 0xffff ? { code, end } : undefined
}

const isDigit = (code: number, base: Base): boolean => hexValue(code) >= 0 && hexValue(code) < base

/** The value of a hexadecimal digit, or -1. */
export function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}
