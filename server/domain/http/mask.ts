import { countKeptBytes, type Body, type Exchange, type Headers } from './exchange.ts'

const MIN_SHOWN_LENGTH = 12

/** Shows which secret it is without giving it away: `dev…01`. */
export const maskSecret = (secret: string): string =>
  secret.length < MIN_SHOWN_LENGTH ? '…' : `${secret.slice(0, 3)}…${secret.slice(-2)}`

/** Header fields whose value is a secret, whether the sandbox knows it or not: `token`, `X-Api-Key`, `Set-Cookie`. */
const SECRET_FIELD =
  /token|secret|password|authorization|cookie|signature|session|(^|[-_])auth([-_]|$)|(api|access|auth|private)[-_]?key/i

/** What the sandbox's own words stand under, in events and accounts. None of it comes from outside. */
const UNMASKED_KEYS = new Set(
  (
    'type state status kind splitType cause method entryPoint outcome mode page to paidBy dispute assumed values ' +
    'environment version epoch id account accountId linkId at from createdAt paidAt madeAt startedAt'
  ).split(' '),
)

export interface Mask {
  text(plain: string): string
  /** Masks every text in a value, however deep, but the sandbox's own words. A key may be spelled like one. */
  value<Value>(value: Value): Value
  exchange(exchange: Exchange): Exchange
}

/** Takes secrets out of what leaves the sandbox: known ones wherever they stand, others by their header field. */
export function createMask(secrets: readonly string[]): Mask {
  // The longest first, as one may begin like another.
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length)
  const plainPattern = new RegExp(longestFirst.map(escapeRegExp).join('|') || MATCHES_NOTHING, 'g')
  const encodedPattern = new RegExp(longestFirst.map(anyEncodingOf).join('|') || MATCHES_NOTHING, 'g')

  const text = (plain: string): string =>
    ENCODED_CHARACTER.test(plain)
      ? plain.replace(encodedPattern, maskMatch)
      : plain.replace(plainPattern, maskSecret)

  /** By the key that is meant, so that no `%xx` is cut in two. */
  const maskMatch = (match: string): string =>
    maskSecret(longestFirst.find((key) => key === match || isEncodingOf(match, key)) ?? match)

  function value<Value>(input: Value): Value {
    if (typeof input === 'string') return text(input) as Value
    if (input === null || typeof input !== 'object') return input
    if (Array.isArray(input)) return input.map(value) as Value
    const entries = Object.entries(input)
    return Object.fromEntries(
      entries.map(([key, inner]) => [key, UNMASKED_KEYS.has(key) ? inner : value(inner)]),
    ) as Value
  }

  const headers = (fields: Headers): Headers =>
    fields.map(([name, content]) => [name, SECRET_FIELD.test(name) ? maskSecret(content) : text(content)])

  function body(input: Body): Body {
    const content =
      input.encoding === 'utf8'
        ? text(input.content)
        : btoa(atob(input.content).replace(plainPattern, maskSecretBytes))
    const masked = { ...input, content }
    // So that no byte seems cut off.
    return { ...masked, size: input.size + countKeptBytes(masked) - countKeptBytes(input) }
  }

  return {
    text,
    value,
    exchange: ({ request, response }) => ({
      request: {
        method: request.method,
        url: text(request.url),
        headers: headers(request.headers),
        body: body(request.body),
      },
      response: response && {
        status: response.status,
        headers: headers(response.headers),
        body: body(response.body),
      },
    }),
  }
}

const MATCHES_NOTHING = '(?!)'

const escapeRegExp = (secret: string): string => secret.replace(/\W/g, String.raw`\$&`)

/** What a query or a form may write a character by. */
const ENCODED_CHARACTER = /%[\da-f]{2}|\+/i

/** Matches a secret of which any character may be percent-encoded, and a space be a plus. */
const anyEncodingOf = (secret: string): string => [...secret].map(anyEncodingOfCharacter).join('')

function anyEncodingOfCharacter(character: string): string {
  const bytes = [...new TextEncoder().encode(character)].map((byte) => byte.toString(16).padStart(2, '0'))
  const percentEncoded = bytes
    .map((hex) => `%${hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`)
    .join('')
  return `(?:${escapeRegExp(character)}|${percentEncoded}${character === ' ' ? String.raw`|\+` : ''})`
}

const isEncodingOf = (text: string, secret: string): boolean =>
  new RegExp(`^${anyEncodingOf(secret)}$`).test(text)

/** As `atob` gives bytes: one character for each. */
const maskSecretBytes = (secret: string): string => maskSecret(secret).replace('…', '\xe2\x80\xa6')
