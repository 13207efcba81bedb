import type { Store } from '../../store/store.ts'
import { type Connection, requestId, createConnection, type SentRequest } from './connection.ts'
import {
  type ConnectingListener,
  DISCONNECTED_ON_PURPOSE,
  stripTunnelPrefix,
} from '../../domain/network/tunnel.ts'
import { createWaitingCallers } from './waiting-callers.ts'
import { startsEpoch, clearsRequests } from '../../domain/events/event.ts'
import {
  disconnectAllExcept,
  type ConnectedListener,
  type Greeting,
  connectListener,
  disconnectListener,
} from '../../operations/tunnels/connect-listener.ts'
import * as epochs from '../../store/journal/epoch.ts'
import * as capturedRequests from '../../store/repositories/captured-requests.ts'
import type { ListenerKey } from '../../store/repositories/listeners.ts'
import type { WebSocket } from 'ws'
import {
  startHeartbeat,
  CLOSE_REPLACED,
  decodeFrame,
  type SandboxMessage,
  CLOSE_REMOVED,
} from '../protocol.ts'
import { type Exchange, type Body, encodeBody, decodeBody } from '../../domain/http/exchange.ts'
import { roundMs } from '../../domain/time/time.ts'
import { recordAnswer } from '../../operations/tunnels/record-answer.ts'
import { truncate } from '../../domain/text/truncate.ts'
import { forwardedUrl, forwardedRequestHeaders } from '../../domain/http/proxy-headers.ts'
import { validateHeaderName, validateHeaderValue } from 'node:http'

interface Options {
  readonly store: Store
  readonly heartbeatMs: number
  /** How long a caller waits for a listener's answer. */
  readonly answerTimeoutMs: number
  /** Whether what waits outlives this process. */
  readonly isPersistent: boolean
  readonly onError: (error: unknown) => void
}

/** Everybody who listens at a tunnel now. */
export function createListeners({
  store,
  heartbeatMs,
  answerTimeoutMs: answerWithinMs,
  isPersistent: isKept,
  onError,
}: Options) {
  const connections = new Map<Connection, ConnectingListener>()
  const callers = createWaitingCallers(answerWithinMs)
  let isEnded = false

  const unsubscribe = store.feed.subscribe((events) => {
    for (const event of events) {
      if (event.type === 'listener.overflowed') {
        const { tunnel, listener, count } = event
        void connectionOf({ tunnel, id: listener })?.send({ type: 'dropped', count })
      }
    }
    const beginning = events.findLast(startsEpoch)
    if (beginning) void restartConnections(beginning.seq)
    if (events.some(clearsRequests)) void settleDiscarded().catch(onError)
  })

  /** Who is connected stays so, whatever the state knows that was put back. */
  async function restartConnections(seq: number): Promise<void> {
    for (const connection of connections.keys()) connection.restart(seq)
    await store
      .transact((work) => disconnectAllExcept(work, listConnected(), 'it was away in this state'))
      .catch(onError)
    for (const connection of connections.keys()) connection.ring()
  }

  /** Nobody waits until the end for what no listener will get. */
  async function settleDiscarded(): Promise<void> {
    const { epoch, seqs } = await store.transact(async ({ db }) => ({
      epoch: (await epochs.current(db)) ?? '',
      seqs: await capturedRequests.listSeqs(db),
    }))
    const keptIds = new Set(seqs.map((seq) => requestId(epoch, seq)))
    callers.forgotten((id) => keptIds.has(id))
  }

  const listConnected = (): ConnectedListener[] => [...connections.keys()].map(({ connected }) => connected)

  const connectionOf = ({ tunnel, id }: ListenerKey): Connection | undefined =>
    [...connections.keys()].find(({ connected }) => connected.tunnel === tunnel && connected.id === id)

  /** Lets a listener in, in place of an older connection of the same name. */
  async function accept(socket: WebSocket, arriving: ConnectingListener): Promise<void> {
    let connection: Connection | undefined
    let greeting: Greeting | undefined
    socket.on('error', () => {})
    socket.on('message', (data) => {
      if (connection && data instanceof Buffer) handleMessage(connection, data)
    })
    socket.once('close', (code) => connection && disconnect(connection, closeReason(code)))
    try {
      await store.transact(async (work) => {
        greeting = await connectListener(work, arriving)
        const older = connectionOf(arriving)
        if (older) replace(older, arriving)
        connection = createConnection(socket, greeting.connected, {
          store,
          onSend: (id) => callers.leaving(id, connection!),
        })
        // Here, so that whatever is captured next knows of it.
        connections.set(connection, arriving)
      })
    } catch (error) {
      if (connection) connections.delete(connection)
      socket.close(1011)
      throw error
    }
    if (!connection || !greeting) return
    if (socket.readyState !== socket.OPEN) {
      disconnect(connection, 'the connection was cut')
      return
    }
    const established = connection
    startHeartbeat(socket, heartbeatMs, () => {
      established.ending = 'it gave no sign of life'
      socket.terminate()
    })
    const { isNew, waiting, dropped, newest } = greeting
    await established.send({
      type: 'welcome',
      listener: arriving.id,
      isNew,
      waiting,
      dropped,
      newest,
      isKept,
      heartbeatMs,
    })
    await established.run()
  }

  function replace(older: Connection, { instance }: ConnectingListener): void {
    const isSame = connections.get(older)?.instance === instance
    connections.delete(older)
    older.end()
    callers.lost(older)
    if (isSame) older.socket.terminate()
    else older.socket.close(CLOSE_REPLACED, 'another listener took this name')
  }

  function disconnect(connection: Connection, why: string): void {
    connection.end()
    if (!connections.delete(connection)) return
    callers.lost(connection)
    if (isEnded) return
    store
      .transact((work) => disconnectListener(work, connection.connected, connection.ending ?? why))
      .catch(onError)
  }

  function handleMessage(connection: Connection, data: Buffer): void {
    const heard = decodeFrame<SandboxMessage>(data)
    if (heard?.message.type === 'target') connection.isUp = heard.message.isUp === true
    else if (heard?.message.type === 'failed' || heard?.message.type === 'answer') {
      // First, as one listener can name the requests of all others.
      const sent = connection.settle(heard.message.id)
      if (sent) handleAnswer(connection, sent, heard.message, heard.bytes)
    } else connection.socket.close(1007, 'no frame of a listener')
  }

  function handleAnswer(
    connection: Connection,
    sent: SentRequest,
    message: Exclude<SandboxMessage, { readonly type: 'target' }>,
    bytes: Uint8Array,
  ): void {
    if (message.type === 'answer' && isValidAnswer(message)) {
      const { status, headers } = message
      const first = callers.answered(sent.id, { by: 'listener', status, headers, bytes })
      record(connection, sent, { first, status, error: null }, { status, headers, body: storedBody(bytes) })
      return
    }
    const error = message.type === 'failed' ? errorText(message) : 'its answer is none of HTTP'
    record(connection, sent, { first: false, status: null, error }, null)
    callers.failed(sent.id, connection, error)
  }

  /** Records what a listener answered. The caller need not wait for that. */
  function record(
    { connected }: Connection,
    { epoch, seq, possibleDuplicate, sentAt }: SentRequest,
    answered: { readonly first: boolean; readonly status: number | null; readonly error: string | null },
    response: Exchange['response'],
  ): void {
    const ms = roundMs(performance.now() - sentAt)
    store
      .transact((work) =>
        recordAnswer(
          work,
          { epoch, seq, listener: connected.id, ms, possibleDuplicate, ...answered },
          (captured) => ({ request: forwardedRequest(connected, captured), response }),
        ),
      )
      .catch(onError)
  }

  return {
    connect: (socket: WebSocket, arriving: ConnectingListener): void =>
      void accept(socket, arriving).catch((error: unknown) => {
        if (!isEnded) onError(error)
      }),
    /** Those that listen at a tunnel. */
    at: (tunnel: string): Connection[] =>
      [...connections.keys()].filter(({ connected }) => connected.tunnel === tunnel),
    wait: callers.wait,
    /** Whether something listens at a listener's local address. `null` where it has not said. */
    isUp: (key: ListenerKey): boolean | null => connectionOf(key)?.isUp ?? null,
    /** Ends the connection of a listener that was forgotten. */
    disconnect(key: ListenerKey): void {
      const connection = connectionOf(key)
      if (!connection) return
      connections.delete(connection)
      connection.end()
      callers.lost(connection)
      connection.socket.close(CLOSE_REMOVED, 'this listener was forgotten')
    },
    stop(): void {
      isEnded = true
      unsubscribe()
      for (const connection of connections.keys()) connection.end()
    },
  }
}

export type Listeners = ReturnType<typeof createListeners>

const closeReason = (code: number): string =>
  code === 1006
    ? 'the connection was cut'
    : code === 1000
      ? DISCONNECTED_ON_PURPOSE
      : `it closed with ${code}`

/** How much is kept of why a listener could not post something. */
const MAX_ERROR_LENGTH = 500

/** Why, as far as it says so. What was sent may be of any type. */
const errorText = ({ error }: { readonly error: unknown }): string =>
  typeof error === 'string' && error !== '' ? truncate(error, MAX_ERROR_LENGTH) : 'it does not say why'

/** As much of a body as is kept with an answer. The request as a whole is with the event of its capture. */
const MAX_STORED_BYTES = 64 * 1024

const storedBody = (bytes: Uint8Array): Body => encodeBody(bytes.subarray(0, MAX_STORED_BYTES), bytes.length)

/** The request as it was posted to the local address. */
function forwardedRequest(
  { tunnel, to }: ConnectedListener,
  { event, request }: capturedRequests.CapturedRequest,
): Exchange['request'] {
  const url = forwardedUrl(to, stripTunnelPrefix(tunnel, event.path))
  const bytes = decodeBody(request.body)
  return {
    method: request.method,
    url,
    headers: forwardedRequestHeaders(request.headers, new URL(url).host, bytes.length),
    body: storedBody(bytes),
  }
}

/** Whether it can be passed on. What it was made of came from elsewhere. */
function isValidAnswer({
  status,
  headers,
}: {
  readonly status: unknown
  readonly headers: unknown
}): boolean {
  if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599) return false
  if (!Array.isArray(headers)) return false
  try {
    for (const field of headers as unknown[]) {
      if (!Array.isArray(field)) return false
      const [name, value]: unknown[] = field
      if (typeof name !== 'string' || typeof value !== 'string') return false
      validateHeaderName(name)
      validateHeaderValue(name, value)
    }
    return true
  } catch {
    return false
  }
}
