import {
  createSecretFinder,
  createSecretFinderInTurns,
  type LetOthersRun,
  type SecretFinder,
} from './secret-finder.ts'
import { changeContent, type Body, type Exchange, type Headers, type Response } from '../http/exchange.ts'
import { hidePasswords } from '../network/credentials.ts'

const MIN_SHOWN_LENGTH = 12

/** Shortens a secret so that people can recognize it but not use it: `dev…01`. */
export const maskSecret = (secret: string): string =>
  secret.length < MIN_SHOWN_LENGTH ? '…' : `${secret.slice(0, 3)}…${secret.slice(-2)}`

/** Matches the names of header fields whose value is always a secret: `token`, `X-Api-Key`, `Set-Cookie`. */
const SECRET_FIELD =
  /token|secret|password|authorization|cookie|signature|session|(^|[-_])auth([-_]|$)|(api|access|auth|private)[-_]?key/i

const isSecretHeader = (name: string): boolean => SECRET_FIELD.test(name)

/** Keys of events and accounts whose values the sandbox itself sets, so they never contain foreign text. */
const UNMASKED_KEYS = new Set(
  (
    'type state status kind splitType cause method entryPoint outcome mode page paidBy dispute assumed values ' +
    'environment version epoch id account accountId linkId at createdAt paidAt madeAt startedAt'
  ).split(' '),
)

export interface Mask {
  /** Whether a text contains a known secret, or a part of one. */
  isIn(plain: string): boolean
  text(plain: string): string
  /**
   * Masks all strings in a value at any depth, except values that the sandbox sets itself. Also masks keys, because they may
   * contain secrets.
   */
  value<Value>(value: Value): Value
  /** Masking a large body takes long, so other work can run meanwhile. */
  exchange(exchange: Exchange, letOthersRun?: LetOthersRun): Promise<Exchange>
  response(response: Response, letOthersRun?: LetOthersRun): Promise<Response>
  /** A mask for one exchange and its event. It also masks the keys in the call's header, even if they belong to no account. */
  forExchange(exchange: Exchange | null): Mask
}

interface MaskOptions {
  /** Returns the replacement of a secret. Default: `maskSecret`. */
  readonly shown?: (secret: string) => string
}

/**
 * Masks secrets in everything that people pass on to others: known secrets and passwords of URLs anywhere, and the values of
 * header fields whose names suggest a secret.
 */
export const createMask = (secrets: readonly string[], { shown = maskSecret }: MaskOptions = {}): Mask =>
  maskWith(createSecretFinder(secrets), shown)

/**
 * Does the same for the secrets of many accounts, and lets other work run in between. If a part of a secret is also in a public
 * text, this part is not masked.
 */
export const createMaskInTurns = async (
  secrets: readonly string[],
  publicTexts: readonly string[],
  letOthersRun: LetOthersRun,
): Promise<Mask> => maskWith(await createSecretFinderInTurns(secrets, publicTexts, letOthersRun), maskSecret)

function maskWith(finder: SecretFinder, shown: (secret: string) => string): Mask {
  const text = (plain: string): string => hidePasswords(finder.replace(plain, shown))

  /** Masks the query parameters of a URL whose names suggest a secret: `?token=…`. */
  const maskUrl = (url: string): string =>
    url.replace(/([?&])([^=&#]+)=([^&#]+)/g, (field, separator: string, name: string, content: string) =>
      isSecretHeader(decodeName(name)) && !isMasked(content)
        ? `${separator}${name}=${shown(content)}`
        : field,
    )

  /** Whether a value consists only of known secrets or their replacements. */
  const isMasked = (content: string): boolean =>
    finder.replace(content, () => '') === '' || /^(?:...)?…(?:..)?$/.test(content)

  function value<Value>(input: Value): Value {
    if (typeof input === 'string') return text(maskUrl(input)) as Value
    if (input === null || typeof input !== 'object') return input
    if (Array.isArray(input)) return input.map(value) as Value
    return Object.fromEntries(
      Object.entries(input).map(([key, inner]) =>
        typeof inner === 'string' && UNMASKED_KEYS.has(key) ? [key, inner] : [text(key), value(inner)],
      ),
    ) as Value
  }

  const headers = (fields: Headers): Headers =>
    fields.map(([name, content]) => [text(name), isSecretHeader(name) ? shown(content) : text(content)])

  function body(input: Body, letOthersRun: LetOthersRun): Promise<Body> {
    // If the body is not text, it is a binary string here, with one character per byte.
    const encode = input.encoding === 'utf8' ? (one: string) => one : toBytes
    const replacementOf = (secret: string) => encode(shown(secret))
    return changeContent(input, async (content) =>
      encode(hidePasswords(await finder.replaceInTurns(content, replacementOf, letOthersRun))),
    )
  }

  const response = async (input: Response, letOthersRun = alone): Promise<Response> => ({
    status: input.status,
    headers: headers(input.headers),
    body: await body(input.body, letOthersRun),
  })

  const exchange = async (input: Exchange, letOthersRun = alone): Promise<Exchange> => ({
    request: {
      method: input.request.method,
      url: text(maskUrl(input.request.url)),
      headers: headers(input.request.headers),
      body: await body(input.request.body, letOthersRun),
    },
    response: input.response && (await response(input.response, letOthersRun)),
    ...(input.sandboxResponse && { sandboxResponse: await response(input.sandboxResponse, letOthersRun) }),
  })

  const mask: Mask = {
    isIn: finder.isIn,
    text,
    value,
    response,
    exchange,
    forExchange(input) {
      const unknownKeys = keysIn(input?.request.headers ?? []).filter((key) => !finder.isIn(key))
      return unknownKeys.length === 0
        ? mask
        : maskWith(joined(finder, createSecretFinder(unknownKeys)), shown)
    },
  }
  return mask
}

/** Does not let other work run. */
const alone: LetOthersRun = async () => undefined

const joined = (one: SecretFinder, other: SecretFinder): SecretFinder => ({
  isIn: (text) => one.isIn(text) || other.isIn(text),
  replace: (text, replacementOf) => other.replace(one.replace(text, replacementOf), replacementOf),
  replaceInTurns: async (text, ...rest) =>
    other.replaceInTurns(await one.replaceInTurns(text, ...rest), ...rest),
})

/** Shorter values could occur in any text. */
const MIN_KEY_LENGTH = 8

const KEY_FIELD = /^(token|authorization|x-api-key)$/i

/**
 * The keys in a call's header, without the scheme of `Authorization`. The word `undefined` is left out, because an app without a
 * key sends it.
 */
export const keysIn = (headers: Headers): string[] =>
  headers
    .filter(([name]) => KEY_FIELD.test(name))
    .map(([, value]) => value.replace(/^(?:Bearer|Basic|Token) +/i, '').trim())
    .filter((key) => key.length >= MIN_KEY_LENGTH && key !== 'undefined')

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Converts a text to a binary string with one character per byte, like those that `atob` returns. */
const toBytes = (text: string): string => text.replaceAll('…', '\xe2\x80\xa6')
