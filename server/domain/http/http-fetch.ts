/** What was answered. */
export interface HttpResponse {
  readonly status: number
  /** Where it leads on to. Nobody follows. */
  readonly location: string | null
  readonly text: string
}

/** More than any page or state is read of. */
const MAX_BODY_BYTES = 1024 * 1024

/** The text of an answer, as far as it is read. */
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

/** Asks for something over HTTP. Redirects are not followed. */
export type HttpFetch = (
  url: string,
  request: {
    readonly signal: AbortSignal
    readonly method?: string
    readonly body?: string
    readonly headers?: Record<string, string>
  },
) => Promise<HttpResponse>
