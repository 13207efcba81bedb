/** Header fields in the order they travelled. */
export type Headers = readonly (readonly [name: string, value: string])[]

/** Pairs up a flat list of names and values, as Node and undici give headers. */
export const pairHeaders = (flat: readonly string[]): Headers =>
  flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : []))

/** The value of the first header field of a name, in any capitals. */
export function findHeader(headers: Headers, name: string): string | undefined {
  const wanted = name.toLowerCase()
  return headers.find(([field]) => field.toLowerCase() === wanted)?.[1]
}

/** Bytes in a form that JSON can carry: the text where they are UTF-8, base64 where they are not. */
export interface Body {
  readonly encoding: 'utf8' | 'base64'
  readonly content: string
  /** How many bytes there were, which may be more than `content` holds. */
  readonly size: number
}

/** One HTTP request and its answer, as they were on the wire. */
export interface Exchange {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Headers
    readonly body: Body
  }
  /** `null` when no answer came. */
  readonly response: {
    readonly status: number
    readonly headers: Headers
    readonly body: Body
  } | null
}

/** How much of a response body is stored. */
export const MAX_STORED_BODY_BYTES = 64 * 1024

/** Wraps bytes, of which `size` says how many there were before any were cut off. */
export function encodeBody(bytes: Uint8Array, size = bytes.length): Body {
  try {
    // Streaming lets go of a character that the cut went through.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return { encoding: 'utf8', content: decoder.decode(bytes, { stream: size > bytes.length }), size }
  } catch {
    return { encoding: 'base64', content: encodeBase64(bytes), size }
  }
}

export function encodeBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** The bytes that a body holds. */
export const decodeBody = ({ encoding, content }: Body): Uint8Array =>
  encoding === 'base64'
    ? Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
    : encoder.encode(content)

const encoder = new TextEncoder()

export const textBody = (text: string): Body => ({
  encoding: 'utf8',
  content: text,
  size: encoder.encode(text).length,
})

/** How many of a body's bytes are here. */
export const countKeptBytes = ({ encoding, content }: Body): number =>
  encoding === 'base64' ? atob(content).length : encoder.encode(content).length
