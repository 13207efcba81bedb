import { keptBytes, type Body, type Exchange, type Headers } from './exchange.ts'

const TOO_SHORT_TO_SHOW = 12

/** Shows which secret it is without giving it away: `dev…01`. */
export const maskSecret = (secret: string): string =>
  secret.length < TOO_SHORT_TO_SHOW ? '…' : `${secret.slice(0, 3)}…${secret.slice(-2)}`

/** Header fields whose value is a secret, whether the sandbox knows it or not: `token`, `X-Api-Key`, `Set-Cookie`. */
const SECRET_FIELD =
  /token|secret|password|authorization|cookie|signature|session|(^|[-_])auth([-_]|$)|(api|access|auth|private)[-_]?key/i

/** What the sandbox's own words stand under, in events and accounts. None of it comes from outside. */
const OWN_WORDS = new Set(
  (
    'type state status kind splitType cause method door outcome mode page to paidBy dispute assumed values ' +
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
  const known = new RegExp(longestFirst.map(literally).join('|') || NEVER, 'g')
  const encoded = new RegExp(longestFirst.map(howeverEncoded).join('|') || NEVER, 'g')

  const text = (plain: string): string =>
    ENCODING.test(plain) ? plain.replace(encoded, maskFound) : plain.replace(known, maskSecret)

  /** By the key that is meant, so that no `%xx` is cut in two. */
  const maskFound = (found: string): string =>
    maskSecret(longestFirst.find((key) => key === found || spells(found, key)) ?? found)

  function value<Value>(given: Value): Value {
    if (typeof given === 'string') return text(given) as Value
    if (given === null || typeof given !== 'object') return given
    if (Array.isArray(given)) return given.map(value) as Value
    const entries = Object.entries(given)
    return Object.fromEntries(
      entries.map(([key, inner]) => [key, OWN_WORDS.has(key) ? inner : value(inner)]),
    ) as Value
  }

  const headers = (fields: Headers): Headers =>
    fields.map(([name, content]) => [name, SECRET_FIELD.test(name) ? maskSecret(content) : text(content)])

  function body(given: Body): Body {
    const content =
      given.encoding === 'utf8' ? text(given.content) : btoa(atob(given.content).replace(known, maskedBytes))
    const masked = { ...given, content }
    // So that no byte seems cut off.
    return { ...masked, size: given.size + keptBytes(masked) - keptBytes(given) }
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

const NEVER = '(?!)'

const literally = (secret: string): string => secret.replace(/\W/g, String.raw`\$&`)

/** What a query or a form may write a character by. */
const ENCODING = /%[\da-f]{2}|\+/i

/** Matches a secret of which any character may be percent-encoded, and a space be a plus. */
const howeverEncoded = (secret: string): string => [...secret].map(characterEncoded).join('')

function characterEncoded(character: string): string {
  const bytes = [...new TextEncoder().encode(character)].map((byte) => byte.toString(16).padStart(2, '0'))
  const anyCase = bytes
    .map((hex) => `%${hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`)
    .join('')
  return `(?:${literally(character)}|${anyCase}${character === ' ' ? String.raw`|\+` : ''})`
}

const spells = (found: string, secret: string): boolean =>
  new RegExp(`^${howeverEncoded(secret)}$`).test(found)

/** As `atob` gives bytes: one character for each. */
const maskedBytes = (secret: string): string => maskSecret(secret).replace('…', '\xe2\x80\xa6')
