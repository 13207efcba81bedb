import { createSecretFinder } from './secret-finder.ts'
import { changeContent, type Body, type Exchange, type Headers, type Response } from '../http/exchange.ts'
import { hidePasswords } from '../network/credentials.ts'

const MIN_SHOWN_LENGTH = 12

/** Shortens a secret so that people can recognize it but not use it: `dev…01`. */
export const maskSecret = (secret: string): string =>
  secret.length < MIN_SHOWN_LENGTH ? '…' : `${secret.slice(0, 3)}…${secret.slice(-2)}`

/** Header fields whose value is always a secret: `token`, `X-Api-Key`, `Set-Cookie`. */
const SECRET_FIELD =
  /token|secret|password|authorization|cookie|signature|session|(^|[-_])auth([-_]|$)|(api|access|auth|private)[-_]?key/i

export const isSecretHeader = (name: string): boolean => SECRET_FIELD.test(name)

/** Keys of events and accounts whose values the sandbox itself sets. They never contain external text. */
const UNMASKED_KEYS = new Set(
  (
    'type state status kind splitType cause method entryPoint outcome mode page paidBy dispute assumed values ' +
    'environment version epoch id account accountId linkId at createdAt paidAt madeAt startedAt'
  ).split(' '),
)

export interface Mask {
  text(plain: string): string
  /** Masks all strings in a value at any depth, except values that the sandbox sets. Keys can contain secrets too. */
  value<Value>(value: Value): Value
  exchange(exchange: Exchange): Exchange
  response(response: Response): Response
}

/**
 * Masks secrets in output: known secrets and the passwords of URLs everywhere, unknown secrets by their header field. A
 * part of a secret that is also a part of one of the `publicTexts` is not masked.
 */
export function createMask(secrets: readonly string[], publicTexts: readonly string[] = []): Mask {
  const finder = createSecretFinder(secrets, publicTexts)
  const text = (plain: string): string => hidePasswords(finder.replace(plain, maskSecret))

  function value<Value>(input: Value): Value {
    if (typeof input === 'string') return text(maskUrl(input, text)) as Value
    if (input === null || typeof input !== 'object') return input
    if (Array.isArray(input)) return input.map(value) as Value
    return Object.fromEntries(
      Object.entries(input).map(([key, inner]) =>
        typeof inner === 'string' && UNMASKED_KEYS.has(key) ? [key, inner] : [text(key), value(inner)],
      ),
    ) as Value
  }

  const headersWith = (fields: Headers, mask: typeof text): Headers =>
    fields.map(([name, content]) => [mask(name), isSecretHeader(name) ? maskSecret(content) : mask(content)])

  const bodyWith = (input: Body, mask: typeof text, maskBytes: typeof text): Body =>
    changeContent(input, input.encoding === 'utf8' ? mask : maskBytes)

  const responseWith = (response: Response, mask: typeof text, maskBytes: typeof text): Response => ({
    status: response.status,
    headers: headersWith(response.headers, mask),
    body: bodyWith(response.body, mask, maskBytes),
  })

  const bytes = (content: string): string => toBytes(hidePasswords(finder.replace(content, maskSecretBytes)))

  function exchange({ request, response, sandboxResponse }: Exchange): Exchange {
    // A key that no account has is known from its header only, and can be repeated elsewhere in the same exchange.
    const unknown = createSecretFinder(keysIn(request.headers).filter((key) => !finder.isIn(key)))
    const mask = (plain: string): string => unknown.replace(text(plain), maskSecret)
    const maskBytes = (content: string): string => unknown.replace(bytes(content), maskSecretBytes)
    return {
      request: {
        method: request.method,
        url: mask(maskUrl(request.url, mask)),
        headers: headersWith(request.headers, mask),
        body: bodyWith(request.body, mask, maskBytes),
      },
      response: response && responseWith(response, mask, maskBytes),
      ...(sandboxResponse && { sandboxResponse: responseWith(sandboxResponse, mask, maskBytes) }),
    }
  }

  return { text, value, exchange, response: (response) => responseWith(response, text, bytes) }
}

/** Shorter values could be part of any text. */
const MIN_KEY_LENGTH = 8

const KEY_FIELD = /^(token|authorization|x-api-key)$/i

/** The keys in the header of a call, without the scheme of `Authorization`. */
const keysIn = (headers: Headers): string[] =>
  headers
    .filter(([name]) => KEY_FIELD.test(name))
    .map(([, value]) => value.replace(/^(?:Bearer|Basic|Token) +/i, '').trim())
    .filter((key) => key.length >= MIN_KEY_LENGTH)

/** Masks fields of the query of a URL whose names say that they are secret: `?token=…`. */
const maskUrl = (url: string, text: Mask['text']): string =>
  url.replace(/([?&])([^=&#]+)=([^&#]+)/g, (field, separator: string, name: string, value: string) =>
    isSecretHeader(decodeName(name)) ? `${separator}${name}=${maskValue(value, text)}` : field,
  )

/** A known secret is masked as such, whatever its encoding. The value may also contain more than it. */
function maskValue(value: string, text: Mask['text']): string {
  const known = text(value)
  return /^(?:...)?…(?:..)?$/.test(known) ? known : maskSecret(value)
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Converts bytes to a binary string, one character per byte, as `atob` returns. */
const maskSecretBytes = (secret: string): string => toBytes(maskSecret(secret))

const toBytes = (text: string): string => text.replaceAll('…', '\xe2\x80\xa6')
