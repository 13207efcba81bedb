const ESCAPE = '\u0001'
const MAX_BIGINT = '9223372036854775807'
const BYTES = `${ESCAPE}b`

/**
 * Replaces NUL with two characters, because PostgreSQL cannot store NUL in text. Turns bytes into text with one character per byte,
 * so that they can be searched. `decodeText` reverses both. Limits integers to the server's range.
 */
export function encodeValue(value: unknown): unknown {
  if (typeof value === 'string') return escapeText(value)
  if (value instanceof Uint8Array) return BYTES + escapeText(Buffer.from(value).toString('latin1'))
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return value > 0 ? MAX_BIGINT : `-${MAX_BIGINT}`
  }
  return Array.isArray(value) ? value.map(encodeValue) : value
}

export function decodeText(text: string): string | Uint8Array {
  if (!text.includes(ESCAPE)) return text
  return text.startsWith(BYTES)
    ? Buffer.from(unescapeText(text.slice(BYTES.length)), 'latin1')
    : unescapeText(text)
}

const escapeText = (text: string): string =>
  text.includes('\0') || text.includes(ESCAPE)
    ? text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll('\0', `${ESCAPE}0`)
    : text

const unescapeText = (text: string): string =>
  text.replaceAll(`${ESCAPE}0`, '\0').replaceAll(`${ESCAPE}1`, ESCAPE)
