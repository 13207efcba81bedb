import { randomUUID } from 'node:crypto'
import type { RequestOptions } from 'node:https'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { pinnedTlsOptions } from '../../tls/pinned-tls-options.ts'
import { explainTlsError } from '../../tls/explain-tls-error.ts'
import { CLOSE_REMOVED, encodeFrame, decodeFrame, CLOSE_REPLACED, type ListenerMessage } from '../protocol.ts'
import { startHeartbeat } from '../protocol.ts'
import { ListenerRejectedError } from './rejected-error.ts'
import { readRejection } from './read-rejection.ts'
import { createPathQueues, type ForwardResult } from './path-queues.ts'
import { watchTarget } from './watch-target.ts'

export interface ListenOptions {
  /** The sandbox's address. */
  readonly url: string
  readonly token: string | undefined
  /** The one certificate to accept, where that is known. */
  readonly certificate?: string | undefined
  readonly name: string
  readonly to: string
  /** What it is called, by which it is known when it comes back. */
  readonly as: string
  readonly since: number | undefined
}

export type Welcome = Extract<ListenerMessage, { readonly type: 'welcome' }> & {
  /** Whether this process was connected before. */
  readonly isReconnect: boolean
}

/** What is told to whoever listens. */
export interface ListenCallbacks {
  onConnected(welcome: Welcome): void
  onDisconnected(why: string): void
  /** No sandbox answers, at the first try or again. */
  onUnreachable(why: string): void
  onTargetChange(isUp: boolean, why: string): void
  onForwarded(one: ForwardResult): void
  /** Requests that waited gave way to newer ones. */
  onDropped(count: number): void
}

const FIRST_RECONNECT_DELAY_MS = 100
const MAX_RECONNECT_DELAY_MS = 2_000
const SHUTDOWN_GRACE_MS = 1_000

/** How long the handshake and the welcome may take. */
const HANDSHAKE_TIMEOUT_MS = 10_000

const MAX_FRAME_BYTES = 8 * 1024 * 1024

/** A name that stays the same on this machine for this address. */
export const listenerName = (to: string): string => {
  const { host, pathname } = new URL(to)
  return `${hostname()}-${host}${pathname}`
    .replaceAll(/[^A-Za-z0-9.]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 100)
}

/**
 * Posts what reaches a tunnel to a local address and sends back what that answers, over lost connections and restarts
 * of the sandbox, until it is told to stop. Throws where the sandbox lets it in no more, and what was thrown when it told of something.
 */
export async function listen(
  listening: ListenOptions,
  told: ListenCallbacks,
  signal: AbortSignal,
): Promise<void> {
  assertOtherTarget(listening)
  const failed = new AbortController()
  const failures: unknown[] = []
  const fail = (error: unknown): void => {
    failures.push(error)
    failed.abort()
  }
  await keepConnected(listening, catchErrors(told, fail), AbortSignal.any([signal, failed.signal]))
  if (failures.length > 0) throw failures[0]
}

/** What is thrown where it is told would be thrown in the middle of a connection, and end the process. */
function catchErrors(told: ListenCallbacks, fail: (error: unknown) => void): ListenCallbacks {
  const guard =
    <Args extends unknown[]>(tell: (...args: Args) => void) =>
    (...args: Args): void => {
      try {
        tell(...args)
      } catch (error) {
        fail(error)
      }
    }
  return {
    onConnected: guard((welcome) => told.onConnected(welcome)),
    onDisconnected: guard((why) => told.onDisconnected(why)),
    onUnreachable: guard((why) => told.onUnreachable(why)),
    onTargetChange: guard((isUp, why) => told.onTargetChange(isUp, why)),
    onForwarded: guard((one) => told.onForwarded(one)),
    onDropped: guard((count) => told.onDropped(count)),
  }
}

async function keepConnected(
  listening: ListenOptions,
  told: ListenCallbacks,
  signal: AbortSignal,
): Promise<void> {
  const sockets: { current: WebSocket | undefined } = { current: undefined }
  const target = watchTarget(
    listening.to,
    (isUp, why) => {
      told.onTargetChange(isUp, why)
      sendTargetState(sockets.current, isUp)
    },
    signal,
  )
  await target.known
  const lanes = createPathQueues(listening.to, target, told.onForwarded)
  const instance = randomUUID()
  let isBack = false

  for (let pauseMs = FIRST_RECONNECT_DELAY_MS; !signal.aborted;) {
    const ended = await connectOnce(listening, {
      instance,
      isReconnect: isBack,
      signal,
      queues: lanes,
      onWelcome: (socket, welcome) => {
        sockets.current = socket
        sendTargetState(socket, target.isUp())
        told.onConnected({ ...welcome, isReconnect: isBack })
        isBack = true
        pauseMs = FIRST_RECONNECT_DELAY_MS
      },
      onDropped: told.onDropped,
    })
    sockets.current = undefined
    if (signal.aborted) break
    if (ended.wasConnected) told.onDisconnected(ended.why)
    else told.onUnreachable(ended.why)
    await pause(pauseMs, undefined, { signal }).catch(() => {})
    pauseMs = Math.min(pauseMs * 2, MAX_RECONNECT_DELAY_MS)
  }
}

/** What came to the tunnel would come again and again. */
function assertOtherTarget({ url, name, to }: ListenOptions): void {
  const { origin, pathname } = new URL(to)
  if (origin !== new URL(url).origin || pathname.split('/', 3).join('/') !== `/tunnel/${name}`) return
  throw new ListenerRejectedError(
    `Tunnel ${name} would be posted to itself, again and again. Give --forward-to the address of your app, not ${to}.`,
    400,
  )
}

function sendTargetState(socket: WebSocket | undefined, isUp: boolean | null): void {
  if (socket?.readyState === WebSocket.OPEN && isUp !== null)
    socket.send(encodeFrame({ type: 'target', isUp }))
}

interface Connection {
  readonly instance: string
  readonly isReconnect: boolean
  readonly signal: AbortSignal
  readonly queues: ReturnType<typeof createPathQueues>
  onWelcome(socket: WebSocket, welcome: Extract<ListenerMessage, { type: 'welcome' }>): void
  onDropped(count: number): void
}

/** One connection, from its beginning to its end. */
async function connectOnce(
  { url, token, certificate, name, to, as, since }: ListenOptions,
  { instance, isReconnect: isBack, signal, queues: lanes, onWelcome: begun, onDropped: missed }: Connection,
): Promise<{ readonly wasConnected: boolean; readonly why: string }> {
  const shown = new URL(to)
  shown.username = ''
  shown.password = ''
  const query = new URLSearchParams({ as, to: shown.href, instance })
  // What is older is wanted once, and not again after each lost connection.
  if (since !== undefined && !isBack) query.set('since', String(since))
  const path = `/_sandbox/v1/tunnels/${encodeURIComponent(name)}/listen`
  const how: RequestOptions = {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...pinnedTlsOptions(certificate),
  }
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${path}?${query}`, {
    ...how,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  })
  const gone = new AbortController()
  let why = ''
  let wasConnected = false
  let refused: number | undefined
  let failure: Error | undefined
  const unwelcome = setTimeout(() => {
    why = 'what answers there does not greet like a sandbox'
    socket.terminate()
  }, 2 * HANDSHAKE_TIMEOUT_MS)

  socket.on('error', (error) => {
    failure = error
    why ||= messageOf(error)
  })
  socket.on('unexpected-response', (_request, response) => {
    refused = response.statusCode
    socket.terminate()
  })
  socket.on('message', (data) => {
    const heard = data instanceof Buffer ? decodeFrame<ListenerMessage>(data) : undefined
    if (heard?.message.type === 'welcome') {
      clearTimeout(unwelcome)
      wasConnected = true
      why = ''
      startHeartbeat(socket, heard.message.heartbeatMs, () => {
        why = 'it gave no sign of life'
        socket.terminate()
      })
      begun(socket, heard.message)
    } else if (heard?.message.type === 'dropped') missed(heard.message.count)
    else if (heard?.message.type === 'request' && !signal.aborted) {
      lanes.take(heard.message, heard.bytes, (outcome) => socket.send(outcome), gone.signal)
    }
  })
  const leave = (): void => void finish()
  async function finish(): Promise<void> {
    // What is being posted may still be told, so that it does not come again.
    await Promise.race([lanes.idle(), pause(SHUTDOWN_GRACE_MS)])
    if (socket.readyState === WebSocket.OPEN) socket.close(1000)
    else socket.terminate()
    await pause(SHUTDOWN_GRACE_MS, undefined, { ref: false })
    socket.terminate()
  }
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  const code = await new Promise<number>((resolve) => socket.once('close', resolve))
  clearTimeout(unwelcome)
  signal.removeEventListener('abort', leave)
  gone.abort()

  if (code === CLOSE_REPLACED) {
    throw new ListenerRejectedError(
      `Another listener took the name ${as} at tunnel ${name}, so this one ends. To listen beside it, give each a name of its own (--name).`,
      409,
    )
  }
  if (code === CLOSE_REMOVED) {
    throw new ListenerRejectedError(
      `The sandbox was told to forget listener ${as} of tunnel ${name}, so it ends. Start it again to listen from now on.`,
      409,
    )
  }
  if (refused !== undefined && refused < 500) await throwRejection(url, path, query, how, refused)
  // Between two networks somebody else may answer for a while, and only there it helps to try again.
  const distrust = isBack || wasConnected ? undefined : await explainTlsError(url, failure)
  if (distrust !== undefined) throw new ListenerRejectedError(distrust, null)
  return {
    wasConnected,
    why: why || (refused === undefined ? 'the connection was cut' : `it answers ${refused}`),
  }
}

/** A refused upgrade comes without words. Asked without one, the same address says why. */
async function throwRejection(
  url: string,
  path: string,
  query: URLSearchParams,
  how: RequestOptions,
  status: number,
): Promise<never> {
  const detail =
    (await readRejection(`${url}${path}?${query}`, how, status).catch(() => undefined)) ??
    `What answers at ${url} takes no listeners (HTTP ${status}): it is no sandbox, or an older one. Give the address of a sandbox.`
  throw new ListenerRejectedError(detail, status)
}

const messageOf = (error: Error): string =>
  error instanceof AggregateError ? String(error.errors[0]?.message ?? error.message) : error.message
