import { setMaxListeners } from 'node:events'
import type { RequestOptions } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { proxyAgentFor } from '../../platform/http/agent.ts'
import { usedProxy } from '../../platform/http/proxy.ts'
import { explainTlsError } from '../../platform/tls/explain-tls-error.ts'
import { pinnedTlsOptions } from '../../platform/tls/pinned-tls-options.ts'
import {
  CLOSE_REMOVED,
  CLOSE_REPLACED,
  decodeFrame,
  encodeFrame,
  startHeartbeat,
  type ListenerMessage,
} from '../../platform/tunnel-protocol.ts'
import type { PathQueues } from './path-queues.ts'
import { readRejection } from './read-rejection.ts'
import { ListenerRejectedError } from './rejected-error.ts'
import { splitCredentials } from '../../domain/network/credentials.ts'

export interface ListenerSocketOptions {
  readonly url: string
  readonly token: string | undefined
  /** If set, no other certificate is accepted. If `undefined`, any trusted one is. */
  readonly certificate?: string | undefined
  readonly tunnel: string
  /** The local address that requests are forwarded to. */
  readonly to: string
  /** The name by which the sandbox recognizes the listener after a reconnect. */
  readonly listener: string
  /** The `seq` of an event. Requests that were stored after this event are also forwarded. */
  readonly since: number | undefined
}

export type WelcomeMessage = Extract<ListenerMessage, { readonly type: 'welcome' }>

interface ConnectionContext {
  /** A random id of this process. */
  readonly instance: string
  /** Whether this process was connected before. */
  readonly isReconnect: boolean
  readonly signal: AbortSignal
  readonly queues: PathQueues
  onWelcome(socket: WebSocket, welcome: WelcomeMessage): void
  onDropped(count: number): void
}

const HANDSHAKE_TIMEOUT_MS = 10_000
const WELCOME_TIMEOUT_MS = 2 * HANDSHAKE_TIMEOUT_MS

/**
 * How long the connection may stay open for responses after the signal is aborted, and how long the close handshake may take
 * after that.
 */
const SHUTDOWN_GRACE_MS = 1_000

const MAX_FRAME_BYTES = 8 * 1024 * 1024

/**
 * Connects to the sandbox, and resolves when the connection has ended. Throws `ListenerRejectedError` if connecting again would
 * not help.
 */
export async function connectOnce(
  options: ListenerSocketOptions,
  { instance, isReconnect, signal, queues, onWelcome, onDropped }: ConnectionContext,
): Promise<{ readonly wasConnected: boolean; readonly why: string }> {
  const address = listenAddress(options, { instance, isReconnect })
  const requestOptions: RequestOptions = {
    headers: options.token === undefined ? {} : { authorization: `Bearer ${options.token}` },
    ...pinnedTlsOptions(options.certificate),
    agent: await proxyAgentFor(options.url),
  }
  const socket = new WebSocket(address.replace(/^http/, 'ws'), {
    ...requestOptions,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  })
  const closed = new AbortController()
  // Removes the limit, because every waiting request listens to this signal.
  setMaxListeners(0, closed.signal)
  let why = ''
  let wasConnected = false
  let rejectionStatus: number | undefined
  let failure: Error | undefined
  const welcomeTimer = setTimeout(() => {
    why = 'the server there did not send the greeting of a sandbox'
    socket.terminate()
  }, WELCOME_TIMEOUT_MS)

  socket.on('error', (error) => {
    failure = error
    why ||= messageOf(error)
  })
  socket.on('unexpected-response', (_request, response) => {
    rejectionStatus = response.statusCode
    socket.terminate()
  })
  socket.on('message', (data) => {
    const frame = data instanceof Buffer ? decodeFrame<ListenerMessage>(data) : undefined
    const message = frame?.message
    if (message?.type === 'welcome') {
      clearTimeout(welcomeTimer)
      wasConnected = true
      why = ''
      startHeartbeat(socket, message.heartbeatMs, () => {
        why = 'it answered no ping'
        socket.terminate()
      })
      onWelcome(socket, message)
    } else if (message?.type === 'dropped') onDropped(message.count)
    else if (message?.type === 'request' && !signal.aborted) {
      queues.add(message, frame!.bytes, (answer) => socket.send(answer), closed.signal)
    }
  })
  const startShutdown = (): void => void shutDown()
  async function shutDown(): Promise<void> {
    // Waits for the responses to requests that are being forwarded, because the sandbox would otherwise send these requests
    // again.
    await Promise.race([queues.idle(), pause(SHUTDOWN_GRACE_MS)])
    if (socket.readyState === WebSocket.OPEN) socket.close(1000)
    else socket.terminate()
    await pause(SHUTDOWN_GRACE_MS, undefined, { ref: false })
    socket.terminate()
  }
  signal.addEventListener('abort', startShutdown)
  if (signal.aborted) startShutdown()
  const code = await new Promise<number>((resolve) => socket.once('close', resolve))
  clearTimeout(welcomeTimer)
  signal.removeEventListener('abort', startShutdown)
  closed.abort()

  assertMayReconnect(options, code)
  if (rejectionStatus !== undefined && rejectionStatus < 500) {
    throw await rejectionError(options.url, address, requestOptions, rejectionStatus)
  }
  // Checks the certificate only at the first connection. If this machine changes networks later, a different server may respond
  // for a while.
  const tlsProblem = isReconnect || wasConnected ? undefined : await explainTlsError(options.url, failure)
  if (tlsProblem !== undefined) throw new ListenerRejectedError(tlsProblem, null)
  why ||= rejectionStatus === undefined ? 'the connection was cut' : `it answers ${rejectionStatus}`
  const proxy = await usedProxy(new URL(options.url))
  if (proxy !== undefined) why += `, through the proxy ${proxy.address} of ${proxy.variable}`
  return { wasConnected, why }
}

function listenAddress(
  { url, tunnel, to, listener, since }: ListenerSocketOptions,
  { instance, isReconnect }: Pick<ConnectionContext, 'instance' | 'isReconnect'>,
): string {
  const query = new URLSearchParams({ listener, to: splitCredentials(to).url.href, instance })
  // Requests older captures only once, and not again after each lost connection.
  if (since !== undefined && !isReconnect) query.set('since', String(since))
  return `${url}/_sandbox/v1/tunnels/${encodeURIComponent(tunnel)}/listen?${query}`
}

function assertMayReconnect({ tunnel, listener }: ListenerSocketOptions, code: number): void {
  if (code === CLOSE_REPLACED) {
    throw new ListenerRejectedError(
      `Another listener now uses the name ${listener} at tunnel ${tunnel}, so this one ends. To run both, give each its own name with --name.`,
      409,
    )
  }
  if (code === CLOSE_REMOVED) {
    throw new ListenerRejectedError(
      `Listener ${listener} of tunnel ${tunnel} was removed from the sandbox, so it ends. Start it again to receive the requests that come from now on.`,
      409,
    )
  }
}

/**
 * Explains a rejected upgrade. The WebSocket client does not show the text of the rejection, so the same request is sent without
 * the upgrade to read the response.
 */
async function rejectionError(
  url: string,
  address: string,
  options: RequestOptions,
  status: number,
): Promise<ListenerRejectedError> {
  const detail =
    (await readRejection(address, options, status).catch(() => undefined)) ??
    `The server at ${url} accepts no listeners (HTTP ${status}): it is not a sandbox, or an older one. Pass the address of a sandbox.`
  return new ListenerRejectedError(detail, status)
}

/** Tells the sandbox whether an app listens at the local address, if the connection is open. */
export function sendTargetState(socket: WebSocket | undefined, isUp: boolean | null): void {
  if (socket?.readyState !== WebSocket.OPEN || isUp === null) return
  socket.send(encodeFrame({ type: 'target', isUp }))
}

const messageOf = (error: Error): string =>
  error instanceof AggregateError ? String(error.errors[0]?.message ?? error.message) : error.message
