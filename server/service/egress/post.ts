import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { finished, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Attempt, Delivery } from '../../domain/webhooks/delivery.ts'
import { MAX_STORED_BODY_BYTES, pairHeaders, type Headers } from '../../domain/http/exchange.ts'
import type { HostAddress } from '../../domain/network/dns.ts'
import { portOf } from '../../domain/network/urls.ts'
import { roundMs } from '../../domain/time/berlin-time.ts'
import { createDeadline, responseTo } from './response-to.ts'
import { explainNoAnswer, type NoAnswer } from '../../platform/http/explain-no-answer.ts'
import { lookupAmong } from './lookup-among.ts'
import { splitCredentials, withAuthorization } from '../../domain/network/credentials.ts'

/** Posts a webhook to one of `addresses`. Never throws: the result reports a failed connection. */
export type Post = (
  url: URL,
  addresses: readonly HostAddress[],
  webhook: Pick<Delivery, 'contentType' | 'body'> & {
    /** Default: `POST`. A check also opens pages, which takes a `GET` without a body. */
    readonly method?: 'GET' | 'POST'
    /** Headers in addition to the headers of every webhook. */
    readonly headers?: Headers
    /** How long sending the body takes, in milliseconds. Default: as fast as possible. */
    readonly slowMs?: number
    /**
     * Called when all bytes except the last are sent. Without a body, called when the connection is open. The rest is sent when
     * the promise resolves.
     */
    readonly beforeLastByte?: (() => Promise<void>) | undefined
  },
  signal: AbortSignal,
) => Promise<Attempt>

interface PostOptions {
  /** How long the whole attempt may take: the option `deliveryTimeoutMs`, with its default in `domain/webhooks/limits.ts`. */
  readonly timeoutMs: number
  readonly userAgent: string
  /** If it returns a certificate, no other is accepted from the server. Otherwise, any trusted one is. */
  readonly certificateFor?: (url: URL) => string | undefined
}

/**
 * Creates the function that posts webhooks. It connects only to the addresses that the egress policy has checked for this POST,
 * so a changed DNS answer has no effect. It does not follow redirects. Each connection is used once: a receiver may close a
 * reused connection while a POST is being sent, and it is then unknown whether the POST arrived.
 */
export function createPost({ timeoutMs, userAgent, certificateFor = () => undefined }: PostOptions): {
  post: Post
  close(): Promise<void>
} {
  const requests = new Set<ClientRequest>()

  async function post(...[url, addresses, webhook, signal]: Parameters<Post>): Promise<Attempt> {
    const { method = 'POST', contentType, body, headers = [], slowMs = 0, beforeLastByte } = webhook
    const bytes = Buffer.from(method === 'GET' ? '' : body)
    const ofBody: Headers = [
      ['content-type', contentType],
      ['content-length', String(bytes.length)],
    ]
    const { authorization } = splitCredentials(url)
    const ownHeaders: Headers = [
      ['host', url.host],
      ['connection', 'close'],
      ['user-agent', userAgent],
      ['accept', '*/*'],
      ...(method === 'GET' ? [] : ofBody),
      ...headers,
    ]
    const sentHeaders = withAuthorization(ownHeaders, authorization)
    // The attempt records only that there was a password, because Base64 does not hide it.
    const requestHeaders: Headers =
      sentHeaders === ownHeaders ? ownHeaders : [...ownHeaders, ['Authorization', 'Basic …']]
    // Loads undici before the time limit of the attempt begins. Most sandboxes never need it.
    const tls = url.protocol === 'https:' ? await import('./connect-to.ts').catch(() => null) : undefined
    const started = performance.now()
    const response = {
      status: null as number | null,
      headers: [] as Headers,
      chunks: [] as Buffer[],
      size: 0,
    }
    const attempt = (failure?: NoAnswer): Attempt => ({
      status: response.status,
      error: null,
      ...failure,
      ms: roundMs(performance.now() - started),
      requestHeaders,
      responseHeaders: response.headers,
      responseBody: Buffer.concat(response.chunks).subarray(0, MAX_STORED_BODY_BYTES),
      responseSize: response.size,
    })

    if (tls === null) {
      const error = 'nothing was sent: the files of the sandbox have changed since it started. Restart it'
      return attempt({ errorCode: 'other', error })
    }
    const deadline = createDeadline(timeoutMs, signal)
    let outgoing: ClientRequest | undefined
    let isConnected = tls === undefined
    try {
      outgoing = request({
        method,
        path: `${url.pathname}${url.search}`,
        // A flat list, because Node then keeps the sequence and the case of the names.
        headers: sentHeaders.flat() as unknown as Record<string, string>,
        createConnection: (_options, give) => {
          if (tls === undefined) return connectPlain(url, addresses)
          const { protocol, host, hostname, port } = url
          const connectOverTls = tls.connectTo(url, addresses, timeoutMs, certificateFor(url))
          connectOverTls({ protocol, host, hostname, port }, (error, socket) => {
            isConnected = error === null
            give(error, socket!)
          })
          return undefined
        },
      })
      outgoing.maxHeadersCount = 0
      requests.add(outgoing)
      const responded = responseTo(outgoing, deadline)
      if (beforeLastByte !== undefined && method === 'GET') void endWhenConnected(outgoing, beforeLastByte)
      else if (beforeLastByte !== undefined && bytes.length > 1)
        void endWhenReady(outgoing, bytes, beforeLastByte)
      else if (slowMs === 0) outgoing.end(bytes)
      // Errors are ignored, because a receiver that responds early may close the connection.
      else pipeline(Readable.from(drip(bytes, slowMs)), outgoing).catch(() => {})
      const incoming = await responded
      response.status = incoming.statusCode ?? null
      response.headers = pairHeaders(incoming.rawHeaders)
      await readBody(incoming, response)
      // A response without a content length looks complete even if it was aborted.
      if (deadline.over) throw deadline.over.reason
      return attempt()
    } catch (error) {
      const reason = deadline.over ? deadline.over.reason : error
      return attempt(
        explainNoAnswer(reason, url, timeoutMs, { hasBegun: response.status !== null, isConnected }),
      )
    } finally {
      deadline.clear()
      if (outgoing) requests.delete(outgoing)
      outgoing?.destroy()
    }
  }

  return {
    post,
    async close() {
      for (const outgoing of requests) outgoing.destroy()
    },
  }
}

/**
 * Uses a host name if there are several addresses, because Node calls `lookup` only for names. A single address is used
 * directly, because a lookup takes longer.
 */
function connectPlain(url: URL, addresses: readonly HostAddress[]): Socket {
  const [first, ...others] = addresses
  const to =
    first !== undefined && others.length === 0
      ? { host: first.address }
      : { host: 'receiver', lookup: lookupAmong(addresses) }
  return connect({ ...to, port: portOf(url), noDelay: true })
}

/** Reads a body until it ends or exceeds the size to store. A loop over the body would need more processor time. */
function readBody(
  incoming: IncomingMessage,
  read: { readonly chunks: Buffer[]; size: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    incoming.on('data', (chunk: Buffer) => {
      read.size += chunk.length
      read.chunks.push(chunk)
      if (read.size > MAX_STORED_BODY_BYTES) resolve()
    })
    finished(incoming, (error) => (error ? reject(error) : resolve()))
  })
}

/** Sends a body. Its last byte waits until the other bytes are sent and `isReady` has resolved. */
async function endWhenReady(
  outgoing: ClientRequest,
  bytes: Buffer,
  isReady: () => Promise<void>,
): Promise<void> {
  await new Promise((resolve) => outgoing.write(bytes.subarray(0, -1), resolve))
  await isReady()
  outgoing.end(bytes.subarray(-1))
}

/** Connects, and sends the request when `isReady` has resolved. */
async function endWhenConnected(outgoing: ClientRequest, isReady: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    outgoing.once('socket', (socket: Socket) =>
      socket.connecting ? socket.once('connect', resolve) : resolve(),
    )
  })
  await isReady()
  outgoing.end()
}

const DRIP_PIECES = 10

/** Yields the bytes in pieces, spread over `slowMs`. */
async function* drip(bytes: Buffer, slowMs: number): AsyncGenerator<Buffer> {
  const size = Math.max(1, Math.ceil(bytes.length / DRIP_PIECES))
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, start + size)
    await wait(slowMs / DRIP_PIECES, undefined, { ref: false })
  }
}
