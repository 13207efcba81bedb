import { createHash } from 'node:crypto'

export interface Pseudonyms {
  /** Replaces every secret, in any of the encodings. */
  text(plain: string): string
  /** Whether the text contains a secret. */
  isIn(plain: string): boolean
}

/**
 * Replaces secrets by names that stay the same in every run: `<key-1a2b3c4d>`. It finds a secret as plain text, percent-encoded,
 * escaped in JSON and HTML, and in base64, also in the middle of a longer base64 text.
 */
export function createPseudonyms(
  secrets: readonly { readonly kind: string; readonly secret: string | undefined }[],
): Pseudonyms {
  const known = secrets.flatMap(({ kind, secret }) => (secret ? [{ kind, secret }] : []))
  const longestFirst = known.toSorted((a, b) => b.secret.length - a.secret.length)
  const masks = longestFirst.map(({ kind, secret }) => ({
    pattern: new RegExp([...encodedForms(secret)].join('|'), 'g'),
    name: `<${kind}-${createHash('sha256').update(secret).digest('hex').slice(0, 8)}>`,
  }))
  const text = (plain: string): string =>
    masks.reduce((masked, { pattern, name }) => masked.replace(pattern, name), plain)
  return { text, isIn: (plain) => text(plain) !== plain }
}

function* encodedForms(secret: string): Generator<string> {
  yield [...secret].map(anyEscapeOf).join('')
  const bytes = Buffer.from(secret)
  for (const before of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // The first and the last characters also depend on the bytes before and after the secret.
    const start = Math.ceil((before * 8) / 6)
    const end = Math.floor(((before + bytes.length) * 8) / 6)
    const core = encoded.slice(start, end)
    if (core.length < MIN_BASE64) continue
    yield [...core].map((character) => BASE64_VARIANTS[character] ?? character).join('')
  }
}

/** Shorter texts would match by chance. */
const MIN_BASE64 = 8

/** The URL-safe alphabet, and percent-encoding. */
const BASE64_VARIANTS: Readonly<Record<string, string>> = {
  '+': String.raw`(?:\+|-|%2[Bb])`,
  '/': String.raw`(?:/|_|%2[Ff]|\\/)`,
}

/** One character as text, percent-encoded, as an escape of JSON or as an entity of HTML. */
function anyEscapeOf(character: string): string {
  const percent = [...new TextEncoder().encode(character)].map((byte) => `%${anyCase(byte, 2)}`).join('')
  const units = [...character].flatMap((one) => one.split(''))
  const json = units.map((unit) => String.raw`\\u${anyCase(unit.charCodeAt(0), 4)}`).join('')
  const code = character.codePointAt(0)!
  const html = `&#(?:0*${code}|[xX]0*${anyCase(code, 1)});`
  // Quotes, slashes and backslashes can have a backslash before them.
  const plain = /\w/.test(character) ? character : `\\\\*\\${character}`
  return String.raw`(?:${plain}|${percent}|${json}|${html}${character === ' ' ? String.raw`|\+` : ''})`
}

const anyCase = (code: number, digits: number): string =>
  code
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
