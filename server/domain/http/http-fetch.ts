/** An HTTP response. */
export interface HttpResponse {
  readonly status: number
  /** The target of a redirect. It is not followed. */
  readonly location: string | null
  /** The values of `Set-Cookie`. */
  readonly cookies: readonly string[]
  readonly text: string
}

/** The maximum number of bytes to read. It is larger than any page or state. */
const MAX_BODY_BYTES = 1024 * 1024

/** The text of a response, up to the limit. */
export async function readBodyText(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    size += chunk.length
    if (size > MAX_BODY_BYTES) break
  }
  return text + decoder.decode()
}

/** Sends an HTTP request. Does not follow redirects. */
export type HttpFetch = (
  url: string,
  request: {
    readonly signal: AbortSignal
    readonly method?: string
    readonly body?: string
    readonly headers?: Record<string, string>
  },
) => Promise<HttpResponse>
