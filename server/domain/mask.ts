import { keptBytes, type Body, type Exchange, type Headers } from './exchange.ts'

const TOO_SHORT_TO_SHOW = 12

/** Shows which secret it is without giving it away: `dev…01`. */
export const maskSecret = (secret: string): string =>
  secret.length < TOO_SHORT_TO_SHOW ? '…' : `${secret.slice(0, 3)}…${secret.slice(-2)}`

/** Header fields whose value is a secret, whether the sandbox knows it or not. */
const SECRET_FIELDS = new Set(['token', 'authorization', 'proxy-authorization', 'cookie', 'set-cookie'])

export interface Mask {
  /** Masks every text in a value, however deep, except the `type` that says what the value is. */
  value<Value>(value: Value): Value
  exchange(exchange: Exchange): Exchange
}

/** Takes secrets out of what leaves the sandbox: known ones wherever they stand, others by their header field. */
export function createMask(secrets: readonly string[]): Mask {
  // The longest first, as one may begin like another.
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length)
  const known = new RegExp(longestFirst.map(literally).join('|') || NEVER, 'g')

  const text = (plain: string): string => plain.replace(known, maskSecret)

  function value<Value>(given: Value): Value {
    if (typeof given === 'string') return text(given) as Value
    if (given === null || typeof given !== 'object') return given
    if (Array.isArray(given)) return given.map(value) as Value
    const entries = Object.entries(given)
    return Object.fromEntries(
      entries.map(([key, inner]) => [key, key === 'type' ? inner : value(inner)]),
    ) as Value
  }

  const headers = (fields: Headers): Headers =>
    fields.map(([name, content]) => [
      name,
      SECRET_FIELDS.has(name.toLowerCase()) ? maskSecret(content) : text(content),
    ])

  function body(given: Body): Body {
    const content =
      given.encoding === 'utf8' ? text(given.content) : btoa(atob(given.content).replace(known, maskedBytes))
    const masked = { ...given, content }
    // So that no byte seems cut off.
    return { ...masked, size: given.size + keptBytes(masked) - keptBytes(given) }
  }

  return {
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

/** As `atob` gives bytes: one character for each. */
const maskedBytes = (secret: string): string => maskSecret(secret).replace('…', '\xe2\x80\xa6')
