import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import {
  CONNECTION_REFUSED,
  NO_ANSWER_WITHIN,
  type Attempt,
  type Delivery,
} from '../domain/webhooks/delivery.ts'
import { pairHeaders, type Headers } from '../domain/http/exchange.ts'
import type { HostAddress } from '../domain/network/dns.ts'
import { roundMs } from '../domain/time/time.ts'
import { connectTo } from './connect-to.ts'

const MAX_STORED_BYTES = 64 * 1024

export type Post = (
  url: URL,
  addresses: readonly HostAddress[],
  webhook: Pick<Delivery, 'contentType' | 'body'> & {
    /** Headers beyond those that every webhook has. */
    readonly headers?: Headers
    /** How long the body takes to go out, in milliseconds. By default it goes at once. */
    readonly slowMs?: number
  },
  signal: AbortSignal,
) => Promise<Attempt>

interface PostOptions {
  /** How long an answer may take. */
  readonly timeoutMs: number
  readonly userAgent: string
  /** The one certificate to accept from an address, where that is known. */
  readonly certificateFor?: (url: URL) => string | undefined
}

/**
 * Posts webhooks. Each goes to the addresses that the guard has seen for this very one and to no others, so a
 * name cannot mean something else by the time it is used. Redirects are not followed.
 */
export function createPost({ timeoutMs, userAgent, certificateFor = () => undefined }: PostOptions): {
  post: Post
  close(): Promise<void>
} {
  const requests = new Set<ClientRequest>()

  /** Never throws: a connection that fails is an outcome too. */
  async function post(
    ...[url, addresses, { contentType, body, headers = [], slowMs = 0 }, signal]: Parameters<Post>
  ): Promise<Attempt> {
    const bytes = Buffer.from(body)
    const requestHeaders: Headers = [
      ['host', url.host],
      ['connection', 'close'],
      ['user-agent', userAgent],
      ['accept', '*/*'],
      ['content-type', contentType],
      ['content-length', String(bytes.length)],
      ...headers,
    ]
    const started = performance.now()
    const response = {
      status: null as number | null,
      headers: [] as Headers,
      chunks: [] as Buffer[],
      size: 0,
    }
    const attempt = (error: string | null): Attempt => ({
      status: response.status,
      error,
      ms: roundMs(performance.now() - started),
      requestHeaders,
      responseHeaders: response.headers,
      responseBody: Buffer.concat(response.chunks).subarray(0, MAX_STORED_BYTES),
      responseSize: response.size,
    })

    const deadline = createDeadline(timeoutMs, signal)
    let outgoing: ClientRequest | undefined
    try {
      const connect = connectTo(url, addresses, timeoutMs, certificateFor(url))
      // Without an agent a connection is used once. One that was used before may be closing at the other end; whether a
      // POST that met with that has arrived nobody could say.
      outgoing = request({
        method: 'POST',
        path: `${url.pathname}${url.search}`,
        // A flat list goes out as it stands.
        headers: requestHeaders.flat() as unknown as Record<string, string>,
        createConnection: (_options, give) => {
          const { protocol, host, hostname, port } = url
          connect({ protocol, host, hostname, port }, (error, socket) => give(error, socket!))
          return undefined
        },
      })
      outgoing.maxHeadersCount = 0
      requests.add(outgoing)
      const responded = responseTo(outgoing, deadline.signal)
      if (slowMs === 0) outgoing.end(bytes)
      // Whoever answers sooner may hear the rest no more.
      else pipeline(Readable.from(drip(bytes, slowMs, deadline.signal)), outgoing).catch(() => {})
      const incoming = await responded
      response.status = incoming.statusCode ?? null
      response.headers = pairHeaders(incoming.rawHeaders)
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        response.size += chunk.length
        response.chunks.push(chunk)
        if (response.size > MAX_STORED_BYTES) break
      }
      // Of an answer that says no length, the end of the connection is a proper end.
      deadline.signal.throwIfAborted()
      return attempt(null)
    } catch (error) {
      const reason: unknown = deadline.signal.aborted ? deadline.signal.reason : error
      return attempt(explain(reason, url, timeoutMs, response.status !== null))
    } finally {
      deadline.clear()
      if (outgoing) requests.delete(outgoing)
      outgoing?.destroy()
    }
  }

  return {
    post,
    async close() {
      for (const sent of requests) sent.destroy()
    },
  }
}

/** The beginning of an answer. Comes to an end with the deadline, whatever becomes of the request. */
function responseTo(sent: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      reject(signal.reason)
      sent.destroy()
    }
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    sent.once('response', resolve)
    // For as long as it lives, as an answer may break off after its beginning.
    sent.on('error', reject)
    sent.once('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('it answered with 101, to go on with another protocol than HTTP'))
    })
    sent.once('close', () => reject(new Error('connection closed before an answer came')))
  })
}

const DRIP_PIECES = 10

/** The bytes in so many pieces, with the time between them. */
async function* drip(bytes: Buffer, slowMs: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const size = Math.max(1, Math.ceil(bytes.length / DRIP_PIECES))
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, start + size)
    await wait(slowMs / DRIP_PIECES, undefined, { signal })
  }
}

/** Ends with the time or when it is cut off. By hand, as `AbortSignal.any` leaves a trace on a signal that stays. */
function createDeadline(timeoutMs: number, signal: AbortSignal) {
  const controller = new AbortController()
  const end = () => controller.abort(signal.reason)
  const timer = setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), timeoutMs)
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  return {
    signal: controller.signal,
    clear(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    },
  }
}

/** Of several addresses, one that refused says more than one of a family that this machine does not have. */
const mostTelling = (errors: readonly NodeJS.ErrnoException[]): Error | undefined =>
  errors.find(({ code }) => code === 'ECONNREFUSED') ?? errors[0]

/** Why no answer came, or not all of one, in words that help. */
function explain(error: unknown, url: URL, timeoutMs: number, hasBegun: boolean): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error instanceof AggregateError ? mostTelling(error.errors) : error
  // A DOMException has a number for its code; its name tells more.
  const code =
    cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : error.name
  switch (code) {
    case 'TimeoutError':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return `${hasBegun ? 'its answer did not end within' : NO_ANSWER_WITHIN} ${timeoutMs / 1000} s`
    case 'ECONNREFUSED':
      return `${CONNECTION_REFUSED}, nothing listens on ${url.host}`
    case 'ENOTFOUND':
      return `host ${url.hostname} is unknown`
    case 'ECONNRESET':
    case 'EPIPE':
      return hasBegun ? 'its answer broke off' : 'connection closed before an answer came'
    case 'HPE_HEADER_OVERFLOW':
      return 'its answer has more header fields than 16 KiB'
    default:
      if (code.startsWith('HPE_'))
        return `its answer is no HTTP: ${cause?.message.replace(/^Parse Error: /, '')}`
      return cause instanceof Error ? cause.message : error.message
  }
}
