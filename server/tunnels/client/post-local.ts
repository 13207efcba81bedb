import { once } from 'node:events'
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect } from 'node:net'
import { pairHeaders, type Headers } from '../../domain/http/exchange.ts'
import { forwardedRequestHeaders, forwardedUrl } from '../../domain/http/proxy-headers.ts'

export interface LocalResponse {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** No answer came. `wasPosted` says whether the request may have arrived. */
export class LocalPostError extends Error {
  override readonly name = 'LocalPostError'
  readonly wasPosted: boolean

  constructor(message: string, wasPosted: boolean) {
    super(message)
    this.wasPosted = wasPosted
  }
}

const RESPONSE_TIMEOUT_MS = 60_000
const MAX_RESPONSE_BYTES = 1024 * 1024

interface LocalRequest {
  readonly method: string
  /** Path and query below the local address. */
  readonly path: string
  readonly headers: Headers
}

/**
 * Posts a request to the local address as it came: the same bytes, and header fields in their order and case. undici
 * has an order of its own. Redirects are not followed, and connections not used twice.
 */
export async function postLocal(
  to: string,
  { method, path, headers }: LocalRequest,
  bytes: Uint8Array,
  timeoutMs = RESPONSE_TIMEOUT_MS,
): Promise<LocalResponse> {
  const address = forwardedUrl(to, path)
  const url = new URL(address)
  if (!isWithin(url, new URL(to))) throw new LocalPostError(`its path leads out of ${to}`, true)
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  let isConnected = false
  let hasResponse = false
  const request = send(url, {
    method,
    // As it was asked for: a URL would resolve dots and escape quotes.
    path: address.slice(url.origin.length),
    // A flat list goes out as it stands.
    headers: forwardedRequestHeaders(headers, url.host, bytes.length).flat() as unknown as Record<
      string,
      string
    >,
    agent: false,
  })
  request.once('socket', (socket) => socket.once('connect', () => (isConnected = true)))
  request.once('response', () => (hasResponse = true))
  // For as long as it lives: an answer can break off after its header, and then says less of it than the request.
  let failure: Error | undefined
  request.on('error', (error) => (failure ??= error))
  // Node tells of it by no error, and of nothing after it.
  request.once('upgrade', (_response, socket) => {
    socket.destroy()
    request.emit('error', new Error('it answered with 101, to go on with another protocol than HTTP'))
  })
  request.setTimeout(timeoutMs, () => {
    failure ??= new Error(
      `${hasResponse ? 'its answer did not end' : 'no answer'} within ${timeoutMs / 1000} s`,
    )
    request.destroy(failure)
  })
  try {
    request.end(bytes)
    return await readResponse(request)
  } catch (error) {
    throw new LocalPostError(explainError(failure ?? error, url, hasResponse), isConnected)
  }
}

/** Whether an address is the other one or below it, as whoever is asked may resolve the dots in it. */
function isWithin({ pathname }: URL, to: URL): boolean {
  const prefix = to.pathname.replace(/\/$/, '')
  return pathname === prefix || pathname.startsWith(`${prefix}/`)
}

async function readResponse(request: ClientRequest): Promise<LocalResponse> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const status = response.statusCode ?? 0
  if (status < 200 || status > 599) {
    response.destroy()
    throw new Error(`it answered with the status ${status}, which HTTP does not have`)
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_RESPONSE_BYTES)
      throw new Error('it answered with more than 1 MiB, which no tunnel carries')
    chunks.push(chunk)
  }
  if (!response.complete) throw new Error('its answer broke off')
  return {
    status,
    headers: pairHeaders(response.rawHeaders),
    bytes: Buffer.concat(chunks),
  }
}

const CONNECT_TIMEOUT_MS = 2_000

/** Why nothing listens at the local address, `null` where something does. */
export async function whyUnreachable(to: string): Promise<string | null> {
  const url = new URL(to)
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port, timeout: CONNECT_TIMEOUT_MS })
  socket.once('timeout', () => socket.destroy(new Error('connecting takes too long')))
  try {
    await once(socket, 'connect')
    return null
  } catch (error) {
    return explainError(error, url)
  } finally {
    socket.destroy()
  }
}

function explainError(error: unknown, url: URL, hasResponse = false): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error
  if (!(cause instanceof Error)) return String(cause)
  switch ('code' in cause ? cause.code : '') {
    case 'ECONNREFUSED':
      return `nothing listens on ${url.host}`
    case 'ENOTFOUND':
      return `host ${url.hostname} is unknown`
    case 'ECONNRESET':
      return hasResponse ? 'its answer broke off' : 'the connection was closed before an answer came'
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return `its certificate is not trusted, set NODE_EXTRA_CA_CERTS to the file of the authority`
    default:
      return cause.message
  }
}
