import { createSecretFinder, type SecretFinder } from './secret-finder.ts'
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
  /** The mask for one exchange and its event. It also knows the keys in the header of the call, which no account may have. */
  forExchange(exchange: Exchange | null): Mask
}

/**
 * Masks secrets in output: known secrets and the passwords of URLs everywhere, unknown secrets by their header field. A
 * part of a secret that is also a part of one of the `publicTexts` is not masked.
 */
export const createMask = (secrets: readonly string[], publicTexts: readonly string[] = []): Mask =>
  maskWith(createSecretFinder(secrets, publicTexts))

function maskWith(finder: SecretFinder): Mask {
  const text = (plain: string): string => hidePasswords(finder.replace(plain, maskSecret))
  const bytes = (content: string): string => toBytes(hidePasswords(finder.replace(content, maskSecretBytes)))

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

  const headers = (fields: Headers): Headers =>
    fields.map(([name, content]) => [text(name), isSecretHeader(name) ? maskSecret(content) : text(content)])

  const body = (input: Body): Body => changeContent(input, input.encoding === 'utf8' ? text : bytes)

  const response = (input: Response): Response => ({
    status: input.status,
    headers: headers(input.headers),
    body: body(input.body),
  })

  const exchange = (input: Exchange): Exchange => ({
    request: {
      method: input.request.method,
      url: text(maskUrl(input.request.url, text)),
      headers: headers(input.request.headers),
      body: body(input.request.body),
    },
    response: input.response && response(input.response),
    ...(input.sandboxResponse && { sandboxResponse: response(input.sandboxResponse) }),
  })

  const mask: Mask = {
    text,
    value,
    response,
    exchange,
    forExchange(input) {
      const unknown = keysIn(input?.request.headers ?? []).filter((key) => !finder.isIn(key))
      return unknown.length === 0 ? mask : maskWith(joined(finder, createSecretFinder(unknown)))
    },
  }
  return mask
}

const joined = (one: SecretFinder, other: SecretFinder): SecretFinder => ({
  isIn: (text) => one.isIn(text) || other.isIn(text),
  replace: (text, replacementOf) => other.replace(one.replace(text, replacementOf), replacementOf),
})

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
