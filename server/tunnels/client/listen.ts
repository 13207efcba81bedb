import { randomUUID } from 'node:crypto'
import type { RequestOptions } from 'node:https'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { pinnedTlsOptions } from '../../tls/pinned-tls-options.ts'
import { explainTlsError } from '../../tls/explain-tls-error.ts'
import { FORGOTTEN, frame, readFrame, REPLACED, type ToListener } from '../protocol.ts'
import { startHeartbeat } from '../protocol.ts'
import { NotLetIn } from './rejected-error.ts'
import { readRefusal } from './read-rejection.ts'
import { createLanes, type Posted } from './path-queues.ts'
import { watchTarget } from './watch-target.ts'

export interface Listening {
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

export type Welcome = Extract<ToListener, { readonly type: 'welcome' }> & {
  /** Whether this process was connected before. */
  readonly isBack: boolean
}

/** What is told to whoever listens. */
export interface Told {
  connected(welcome: Welcome): void
  lost(why: string): void
  /** No sandbox answers, at the first try or again. */
  unreachable(why: string): void
  target(isUp: boolean, why: string): void
  posted(one: Posted): void
  /** Requests that waited gave way to newer ones. */
  missed(count: number): void
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000
const GRACE_MS = 1_000

/** How long the handshake and the welcome may take. */
const PATIENCE_MS = 10_000

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
export async function listen(listening: Listening, told: Told, signal: AbortSignal): Promise<void> {
  refuseItself(listening)
  const failed = new AbortController()
  const failures: unknown[] = []
  const fail = (error: unknown): void => {
    failures.push(error)
    failed.abort()
  }
  await listenOn(listening, guarded(told, fail), AbortSignal.any([signal, failed.signal]))
  if (failures.length > 0) throw failures[0]
}

/** What is thrown where it is told would be thrown in the middle of a connection, and end the process. */
function guarded(told: Told, fail: (error: unknown) => void): Told {
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
    connected: guard((welcome) => told.connected(welcome)),
    lost: guard((why) => told.lost(why)),
    unreachable: guard((why) => told.unreachable(why)),
    target: guard((isUp, why) => told.target(isUp, why)),
    posted: guard((one) => told.posted(one)),
    missed: guard((count) => told.missed(count)),
  }
}

async function listenOn(listening: Listening, told: Told, signal: AbortSignal): Promise<void> {
  const sockets: { current: WebSocket | undefined } = { current: undefined }
  const target = watchTarget(
    listening.to,
    (isUp, why) => {
      told.target(isUp, why)
      tellTarget(sockets.current, isUp)
    },
    signal,
  )
  await target.known
  const lanes = createLanes(listening.to, target, told.posted)
  const instance = randomUUID()
  let isBack = false

  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted;) {
    const ended = await once(listening, {
      instance,
      isBack,
      signal,
      lanes,
      begun: (socket, welcome) => {
        sockets.current = socket
        tellTarget(socket, target.isUp())
        told.connected({ ...welcome, isBack })
        isBack = true
        pauseMs = FIRST_PAUSE_MS
      },
      missed: told.missed,
    })
    sockets.current = undefined
    if (signal.aborted) break
    if (ended.wasConnected) told.lost(ended.why)
    else told.unreachable(ended.why)
    await pause(pauseMs, undefined, { signal }).catch(() => {})
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }
}

/** What came to the tunnel would come again and again. */
function refuseItself({ url, name, to }: Listening): void {
  const { origin, pathname } = new URL(to)
  if (origin !== new URL(url).origin || pathname.split('/', 3).join('/') !== `/tunnel/${name}`) return
  throw new NotLetIn(
    `Tunnel ${name} would be posted to itself, again and again. Give --to the address of your app, not ${to}.`,
    400,
  )
}

function tellTarget(socket: WebSocket | undefined, isUp: boolean | null): void {
  if (socket?.readyState === WebSocket.OPEN && isUp !== null) socket.send(frame({ type: 'target', isUp }))
}

interface Connection {
  readonly instance: string
  readonly isBack: boolean
  readonly signal: AbortSignal
  readonly lanes: ReturnType<typeof createLanes>
  begun(socket: WebSocket, welcome: Extract<ToListener, { type: 'welcome' }>): void
  missed(count: number): void
}

/** One connection, from its beginning to its end. */
async function once(
  { url, token, certificate, name, to, as, since }: Listening,
  { instance, isBack, signal, lanes, begun, missed }: Connection,
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
    handshakeTimeout: PATIENCE_MS,
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
  }, 2 * PATIENCE_MS)

  socket.on('error', (error) => {
    failure = error
    why ||= messageOf(error)
  })
  socket.on('unexpected-response', (_request, response) => {
    refused = response.statusCode
    socket.terminate()
  })
  socket.on('message', (data) => {
    const heard = data instanceof Buffer ? readFrame<ToListener>(data) : undefined
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
    await Promise.race([lanes.idle(), pause(GRACE_MS)])
    if (socket.readyState === WebSocket.OPEN) socket.close(1000)
    else socket.terminate()
    await pause(GRACE_MS, undefined, { ref: false })
    socket.terminate()
  }
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  const code = await new Promise<number>((resolve) => socket.once('close', resolve))
  clearTimeout(unwelcome)
  signal.removeEventListener('abort', leave)
  gone.abort()

  if (code === REPLACED) {
    throw new NotLetIn(
      `Another listener took the name ${as} at tunnel ${name}, so this one ends. To listen beside it, give each a name of its own (--as).`,
      409,
    )
  }
  if (code === FORGOTTEN) {
    throw new NotLetIn(
      `The sandbox was told to forget listener ${as} of tunnel ${name}, so it ends. Start it again to listen from now on.`,
      409,
    )
  }
  if (refused !== undefined && refused < 500) await throwRefusal(url, path, query, how, refused)
  // Between two networks somebody else may answer for a while, and only there it helps to try again.
  const distrust = isBack || wasConnected ? undefined : await explainTlsError(url, failure)
  if (distrust !== undefined) throw new NotLetIn(distrust, null)
  return {
    wasConnected,
    why: why || (refused === undefined ? 'the connection was cut' : `it answers ${refused}`),
  }
}

/** A refused upgrade comes without words. Asked without one, the same address says why. */
async function throwRefusal(
  url: string,
  path: string,
  query: URLSearchParams,
  how: RequestOptions,
  status: number,
): Promise<never> {
  const detail =
    (await readRefusal(`${url}${path}?${query}`, how, status).catch(() => undefined)) ??
    `What answers at ${url} takes no listeners (HTTP ${status}): it is no sandbox, or an older one. Give the address of a sandbox.`
  throw new NotLetIn(detail, status)
}

const messageOf = (error: Error): string =>
  error instanceof AggregateError ? String(error.errors[0]?.message ?? error.message) : error.message
