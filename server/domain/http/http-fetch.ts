import { withAuthorization } from '../network/credentials.ts'
import { findHeader, type Headers } from './exchange.ts'

export interface HttpResponse {
  readonly status: number
  /** Where a redirect leads. Redirects are not followed. */
  readonly location: string | null
  /** The values of `Set-Cookie`. */
  readonly cookies: readonly string[]
  /** All header fields, one per line. */
  readonly headerLines: string
  readonly text: string
}

/** The maximum number of bytes that are read. No page and no state of an order is larger. */
const MAX_BODY_BYTES = 1024 * 1024

/** Reads a response. Its text is cut at the limit. */
export const readResponse = async ({ status, headers, body }: RawResponse): Promise<HttpResponse> =>
  describeResponse(status, headers, await readBodyText(body))

export function describeResponse(status: number, headers: Headers, text: string): HttpResponse {
  const headerLines = headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  const cookies = headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value)
  return { status, location: findHeader(headers, 'location') ?? null, cookies, headerLines, text }
}

interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: AsyncIterable<Uint8Array> | null
}

async function readBodyText(body: AsyncIterable<Uint8Array> | null): Promise<string> {
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

interface HttpRequest {
  readonly signal: AbortSignal
  readonly method?: string
  readonly body?: string
  readonly headers?: Record<string, string>
}

/** Sends an HTTP request. Does not follow redirects. */
export type HttpFetch = (url: string, request: HttpRequest) => Promise<HttpResponse>

/** Moves the credentials of a URL into a header, because `fetch` does not send them. */
export const authorizeRequest = <Request extends Pick<HttpRequest, 'headers'>>(
  request: Request,
  authorization: string | undefined,
) => ({
  ...request,
  headers: Object.fromEntries(withAuthorization(Object.entries(request.headers ?? {}), authorization)),
})
