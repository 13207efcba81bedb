import { request as requestHttp, type ClientRequest } from 'node:http'
import { request as requestHttps } from 'node:https'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { pairHeaders, type Headers } from '../../domain/http/exchange.ts'
import { formatMebibytes, MIB } from '../../domain/http/limits.ts'
import { upstreamRequestHeaders } from '../../domain/http/proxy-headers.ts'
import type { Upstream, UpstreamAnswer, UpstreamCall, UpstreamResult } from '../../domain/api/upstream.ts'
import { readUpTo } from '../../platform/http/read-up-to.ts'
import { withTlsRemedy } from '../../domain/network/tls-problem.ts'
import { createDeadline, type Deadline, responseTo } from './response-to.ts'
import { explainNoAnswer } from '../../platform/http/explain-no-answer.ts'
import { splitCredentials, withAuthorization } from '../../domain/network/credentials.ts'

interface UpstreamOptions {
  /** An origin, which may have credentials. */
  readonly address: string
  readonly allowProductionKey: boolean
  /** How long a whole call may take. */
  readonly timeoutMs: number
}

/** The maximum size of a response, which is kept in memory until it is recorded. */
const MAX_ANSWER_BYTES = 16 * MIB

/** Decoding takes time for each encoding. Real services use only one. */
const MAX_ENCODINGS = 5

/**
 * Creates the connection to the real service. Verifies the certificate, even if `NODE_TLS_REJECT_UNAUTHORIZED` says otherwise,
 * because every call contains an API key. Does not follow redirects. Uses each connection once, and sends nothing twice, because
 * a repeated call could create a second link.
 */
export function createUpstream({ address, allowProductionKey, timeoutMs }: UpstreamOptions): Upstream & {
  /** Ends all calls that are underway. Resolves when all callers have received an error. */
  close(): Promise<void>
} {
  const { url, authorization } = splitCredentials(address)
  const closing = new AbortController()
  const pending = new Set<Promise<UpstreamResult>>()

  async function transfer(
    call: UpstreamCall,
    deadline: Deadline,
    progress: { isConnected: boolean; hasBegun: boolean },
  ): Promise<UpstreamAnswer> {
    let outgoing: ClientRequest | undefined
    try {
      const send = url.protocol === 'https:' ? requestHttps : requestHttp
      outgoing = send(url, {
        method: call.method,
        // The path as the caller wrote it. `URL` would resolve dots and escape quotes.
        path: call.path,
        // A flat list, because Node then keeps the sequence and the case of the names.
        headers: withAuthorization(
          upstreamRequestHeaders(call.headers, url.host, call.bytes.length),
          authorization,
        ).flat() as unknown as Record<string, string>,
        agent: false,
        rejectUnauthorized: true,
      })
      outgoing.once('socket', (socket) => socket.once('secureConnect', () => (progress.isConnected = true)))
      const responded = responseTo(outgoing, deadline)
      outgoing.end(call.bytes)
      const incoming = await responded
      progress.hasBegun = true
      const { statusCode = 0, statusMessage = '' } = incoming
      if (statusCode < 200 || statusCode > 599)
        throw new Error(`it answered with the invalid status ${statusCode}`)
      const { bytes, tooLarge } = await readUpTo(incoming, MAX_ANSWER_BYTES)
      if (tooLarge) throw new Error(`its answer is larger than ${formatMebibytes(MAX_ANSWER_BYTES)}`)
      // A response without a content length looks complete even if it was aborted.
      if (deadline.over) throw deadline.over.reason
      if (!incoming.complete) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
      const headers = pairHeaders(incoming.rawHeaders)
      return {
        status: statusCode,
        statusText: statusMessage,
        headers,
        bytes,
        ...(await decode(bytes, headers)),
      }
    } finally {
      outgoing?.destroy()
    }
  }

  async function attempt(call: UpstreamCall): Promise<UpstreamResult> {
    const deadline = createDeadline(timeoutMs, closing.signal)
    const progress = { isConnected: url.protocol === 'http:', hasBegun: false }
    try {
      return { answer: await transfer(call, deadline, progress) }
    } catch (error) {
      const reason = deadline.over ? deadline.over.reason : error
      const failure = explainNoAnswer(reason, url, timeoutMs, progress)
      return {
        failure: {
          ...failure,
          error: withTlsRemedy(failure),
          isTimeout: reason instanceof DOMException && reason.name === 'TimeoutError',
        },
      }
    } finally {
      deadline.clear()
    }
  }

  return {
    origin: url.origin,
    allowProductionKey,
    async send(call) {
      const result = attempt(call)
      pending.add(result)
      try {
        return await result
      } finally {
        pending.delete(result)
      }
    },
    async close() {
      closing.abort(new Error('the sandbox was stopped'))
      await Promise.all(pending)
    },
  }
}

type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>

const decoders = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/**
 * Removes the content encodings, the last one first. A body that cannot be decoded is recorded as it was transferred. Node 20
 * cannot decode `zstd`.
 */
async function decode(
  bytes: Uint8Array,
  headers: Headers,
): Promise<Pick<UpstreamAnswer, 'content' | 'undecoded'>> {
  const field = headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .map(([, value]) => value)
    .join(', ')
  const encodings = field
    .toLowerCase()
    .split(',')
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== '' && encoding !== 'identity')
  if (bytes.length === 0) return { content: bytes }
  if (encodings.length > MAX_ENCODINGS) return { content: bytes, undecoded: field }
  let content = bytes
  for (const encoding of encodings.toReversed()) {
    const decoder = decoders.get(encoding)
    if (decoder === undefined) return { content: bytes, undecoded: field }
    try {
      content = await decoder(content, { maxOutputLength: MAX_ANSWER_BYTES })
    } catch {
      return { content: bytes, undecoded: field }
    }
  }
  return { content }
}
