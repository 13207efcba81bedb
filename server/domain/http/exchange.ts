/** Header fields in the sequence in which they were sent. */
export type Headers = readonly (readonly [name: string, value: string])[]

/** Node and undici use a flat list of names and values. Converts it to pairs. */
export function pairHeaders(flat: readonly string[]): Headers {
  const pairs: [name: string, value: string][] = []
  for (let index = 0; index < flat.length; index += 2) pairs.push([flat[index]!, flat[index + 1] ?? ''])
  return pairs
}

/** The value of the first header field with this name, in upper or lower case. */
export function findHeader(headers: Headers, name: string): string | undefined {
  const lowerCaseName = name.toLowerCase()
  return headers.find(([field]) => field.toLowerCase() === lowerCaseName)?.[1]
}

/** Bytes as JSON: text if they are valid UTF-8, otherwise base64. */
export interface Body {
  readonly encoding: 'utf8' | 'base64'
  readonly content: string
  /** The original size in bytes. `content` may be shorter. */
  readonly size: number
  /** Whether the body was left out of the recording. If its size is not recorded, `size` is 0. */
  readonly isOmitted?: true
}

export interface Response {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** One HTTP request and its response, as transmitted. */
export interface Exchange {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Headers
    readonly body: Body
  }
  /** `null` if no response arrived. */
  readonly response: Response | null
  /** What the sandbox would have responded, if the real service responded. */
  readonly sandboxResponse?: Response
}

/** The maximum number of bytes of a response body that are stored. */
export const MAX_STORED_BODY_BYTES = 64 * 1024

/** Encodes bytes. `size` is their number before truncation. */
export function encodeBody(bytes: Uint8Array, size = bytes.length): Body {
  try {
    // In streaming mode, the decoder drops a character that the truncation has split. The decoder keeps state, so each body needs
    // a new one.
    const content =
      size > bytes.length ? createDecoder().decode(bytes, { stream: true }) : decoder.decode(bytes)
    return { encoding: 'utf8', content, size }
  } catch {
    return { encoding: 'base64', content: encodeBase64(bytes), size }
  }
}

export function encodeBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Decodes a body to its bytes. */
export const decodeBody = ({ encoding, content }: Body): Uint8Array =>
  encoding === 'base64'
    ? Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
    : encoder.encode(content)

/** The text of a body. Bytes that are not UTF-8 become replacement characters. */
export const bodyText = (body: Body): string => new TextDecoder().decode(decodeBody(body))

const createDecoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decoder = createDecoder()
const encoder = new TextEncoder()

export const textBody = (text: string): Body => ({
  encoding: 'utf8',
  content: text,
  size: encoder.encode(text).length,
})

/**
 * Changes the content of a body, and adjusts its size, so that the body does not look truncated. If the bytes are not text,
 * `change` gets and returns one character per byte.
 */
export async function changeContent(body: Body, change: (content: string) => Promise<string>): Promise<Body> {
  const content =
    body.encoding === 'utf8' ? await change(body.content) : btoa(await change(atob(body.content)))
  const changed = { ...body, content }
  return { ...changed, size: body.size + countKeptBytes(changed) - countKeptBytes(body) }
}

/** The number of bytes of the body that were kept. */
export const countKeptBytes = ({ encoding, content }: Body): number =>
  encoding === 'base64' ? atob(content).length : encoder.encode(content).length
