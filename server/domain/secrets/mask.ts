import { createSecretFinder } from './secret-finder.ts'
import { changeContent, type Body, type Exchange, type Headers, type Response } from '../http/exchange.ts'

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
 * Masks secrets in output: known secrets everywhere, unknown ones by their header field. A part of a secret that is also a part of
 * one of the `publicTexts` is not masked.
 */
export function createMask(secrets: readonly string[], publicTexts: readonly string[] = []): Mask {
  const finder = createSecretFinder(secrets, publicTexts)
  const text = (plain: string): string => finder.replace(plain, maskSecret)

  function value<Value>(input: Value): Value {
    if (typeof input === 'string') return text(input) as Value
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

  const bytes = (content: string): string => finder.replace(content, maskSecretBytes)
  const body = (input: Body): Body => changeContent(input, input.encoding === 'utf8' ? text : bytes)

  const maskResponse = (response: Response): Response => ({
    status: response.status,
    headers: headers(response.headers),
    body: body(response.body),
  })

  return {
    text,
    value,
    response: maskResponse,
    exchange: ({ request, response, sandboxResponse }) => ({
      request: {
        method: request.method,
        url: text(maskUrl(request.url, text)),
        headers: headers(request.headers),
        body: body(request.body),
      },
      response: response && maskResponse(response),
      ...(sandboxResponse && { sandboxResponse: maskResponse(sandboxResponse) }),
    }),
  }
}

/** Masks the password of a URL, and fields of its query whose names say that they are secret: `?token=…`. */
const maskUrl = (url: string, text: Mask['text']): string =>
  url
    .replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1…@')
    .replace(/([?&])([^=&#]+)=([^&#]+)/g, (field, separator: string, name: string, value: string) =>
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
const maskSecretBytes = (secret: string): string => maskSecret(secret).replace('…', '\xe2\x80\xa6')
