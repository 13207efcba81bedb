import { formatMebibytes } from '../../domain/http/limits.ts'
import { once } from 'node:events'
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect } from 'node:net'
import { pairHeaders, type Headers } from '../../domain/http/exchange.ts'
import { portOf } from '../../domain/network/urls.ts'
import { MAX_TUNNEL_BODY_BYTES } from '../../domain/network/tunnel.ts'
import { forwardedPath, forwardedRequestHeaders } from '../../domain/http/proxy-headers.ts'
import { tlsProblemOf, withTlsRemedy } from '../../domain/network/tls-problem.ts'
import { hidePasswords, splitCredentials, withAuthorization } from '../../domain/network/credentials.ts'
import { readUpTo } from '../../platform/http/read-up-to.ts'

interface LocalResponse {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** The app gave no complete response. `wasPosted` says whether the request may have reached the app. */
export class LocalPostError extends Error {
  override readonly name = 'LocalPostError'
  readonly wasPosted: boolean

  constructor(message: string, wasPosted: boolean) {
    super(message)
    this.wasPosted = wasPosted
  }
}

const RESPONSE_TIMEOUT_MS = 60_000

interface LocalRequest {
  readonly method: string
  /** Path and query, relative to the local address. */
  readonly path: string
  readonly headers: Headers
}

/**
 * Posts a request to the local address unchanged: the same bytes, and the header fields in the same sequence and case. Uses
 * Node's own client, because undici would change the sequence of the fields. Does not follow redirects, and uses each connection
 * once.
 */
export async function postLocal(
  to: string,
  { method, path, headers }: LocalRequest,
  bytes: Uint8Array,
  timeoutMs = RESPONSE_TIMEOUT_MS,
): Promise<LocalResponse> {
  const pathAtApp = forwardedPath(to, path)
  const url = new URL(new URL(to).origin + pathAtApp)
  if (!isWithin(url, new URL(to)))
    throw new LocalPostError(`its path leads outside of ${hidePasswords(to)}`, true)
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  let isConnected = false
  let hasResponse = false
  const request = send(url, {
    method,
    // The path as the caller wrote it. `URL` would resolve dots and escape quotes.
    path: pathAtApp,
    // A flat list, because Node then keeps the sequence and the case of the names.
    headers: withAuthorization(
      forwardedRequestHeaders(headers, url.host, bytes.length),
      splitCredentials(to).authorization,
    ).flat() as unknown as Record<string, string>,
    agent: false,
  })
  const ready = url.protocol === 'https:' ? 'secureConnect' : 'connect'
  request.once('socket', (socket) => socket.once(ready, () => (isConnected = true)))
  request.once('response', () => (hasResponse = true))
  // Listens for errors of the request until the response ends. If a response breaks off, the error of the request says more than
  // the error of the response.
  let failure: Error | undefined
  request.on('error', (error) => (failure ??= error))
  // Only this event reports an upgrade.
  request.once('upgrade', (_response, socket) => {
    socket.destroy()
    request.emit('error', new Error('it answered 101, to switch to a protocol other than HTTP'))
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
    throw new LocalPostError(explainError(failure ?? error, url, { hasResponse, isConnected }), isConnected)
  }
}

/** Whether the URL is `to` or below it. Resolves `.` and `..` first, because the app may do so. */
function isWithin({ pathname }: URL, to: URL): boolean {
  const prefix = to.pathname.replace(/\/$/, '')
  return pathname === prefix || pathname.startsWith(`${prefix}/`)
}

async function readResponse(request: ClientRequest): Promise<LocalResponse> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const status = response.statusCode ?? 0
  if (status < 200 || status > 599) {
    response.destroy()
    throw new Error(`it answered with status ${status}, which is not a valid HTTP status`)
  }
  const { bytes, tooLarge } = await readUpTo(response, MAX_TUNNEL_BODY_BYTES)
  if (tooLarge) {
    throw new Error(
      `its answer is larger than ${formatMebibytes(MAX_TUNNEL_BODY_BYTES)}, the limit of a tunnel`,
    )
  }
  if (!response.complete) throw new Error('its answer was cut off')
  return {
    status,
    headers: pairHeaders(response.rawHeaders),
    bytes,
  }
}

const CONNECT_TIMEOUT_MS = 2_000

/** Why nothing listens at the local address. `null` if an app listens there. */
export async function whyUnreachable(to: string): Promise<string | null> {
  const url = new URL(to)
  const socket = connect({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: portOf(url),
    timeout: CONNECT_TIMEOUT_MS,
  })
  socket.once('timeout', () =>
    socket.destroy(new Error(`no connection within ${CONNECT_TIMEOUT_MS / 1000} s`)),
  )
  try {
    await once(socket, 'connect')
    return null
  } catch (error) {
    return explainError(error, url, { hasResponse: false, isConnected: true })
  } finally {
    socket.destroy()
  }
}

function explainError(
  error: unknown,
  url: URL,
  { hasResponse, isConnected }: { readonly hasResponse: boolean; readonly isConnected: boolean },
): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error
  if (!(cause instanceof Error)) return String(cause)
  const tlsProblem = tlsProblemOf(cause, url, isConnected)
  if (tlsProblem) return withTlsRemedy({ errorCode: tlsProblem.code, error: tlsProblem.what })
  switch ('code' in cause ? cause.code : '') {
    case 'ECONNREFUSED':
      return `nothing listens on ${url.host}`
    case 'ENOTFOUND':
      return `host ${url.hostname} is unknown`
    case 'ECONNRESET':
      return hasResponse ? 'its answer was cut off' : 'the connection was closed before an answer came'
    default:
      return cause.message
  }
}
