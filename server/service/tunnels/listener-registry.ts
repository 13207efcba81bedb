import type { WebSocket } from 'ws'
import { startsEpoch, clearsRequests } from '../../domain/events/event.ts'
import type { ConnectingListener } from '../../domain/network/tunnel.ts'
import {
  disconnectAllExcept,
  type ConnectedListener,
  type Greeting,
  connectListener,
  disconnectListener,
} from '../operations/tunnels/connect-listener.ts'
import * as epochs from '../../store/journal/epoch.ts'
import * as capturedRequests from '../../store/repositories/captured-requests.ts'
import type { ListenerKey } from '../../store/repositories/listeners.ts'
import type { Store } from '../../store/store.ts'
import { CLOSE_REMOVED, CLOSE_REPLACED, startHeartbeat } from '../../platform/tunnel-protocol.ts'
import { type ListenerConnection, requestId, createConnection } from './connection.ts'
import { createMessageReader } from './message-reader.ts'
import { createWaitingCallers } from './waiting-callers.ts'

interface Options {
  readonly store: Store
  readonly heartbeatMs: number
  /** How long a caller waits for the response of a listener. */
  readonly answerTimeoutMs: number
  /** Whether pending requests survive the end of this process. */
  readonly isPersistent: boolean
  readonly onError: (error: unknown) => void
}

/** The connected listeners, and the callers that wait for their responses. */
export function createListenerRegistry({
  store,
  heartbeatMs,
  answerTimeoutMs,
  isPersistent,
  onError,
}: Options) {
  const connections = new Map<ListenerConnection, ConnectingListener>()
  const callers = createWaitingCallers(answerTimeoutMs)
  const readMessage = createMessageReader(store, callers, onError)
  let isStopped = false

  const unsubscribe = store.eventBus.subscribe((events) => {
    for (const event of events) {
      if (event.type === 'listener.overflowed') {
        const { tunnel, listener, count } = event
        void connectionOf({ tunnel, id: listener })?.send({ type: 'dropped', count })
      }
    }
    const newEpoch = events.findLast(startsEpoch)
    if (newEpoch) void restartConnections(newEpoch.seq)
    if (events.some(clearsRequests)) void answerRemoved().catch(onError)
  })

  /** After a reset or a restore, the rows of listeners are different, but the listeners stay connected. */
  async function restartConnections(seq: number): Promise<void> {
    for (const connection of connections.keys()) connection.restart(seq)
    await store
      .transact((work) =>
        disconnectAllExcept(work, listConnected(), 'it was no longer connected after the reset or restore'),
      )
      .catch(onError)
    for (const connection of connections.keys()) connection.notify()
  }

  /** If requests were removed before a listener got them, their callers get a response at once. */
  async function answerRemoved(): Promise<void> {
    const { epoch, seqs } = await store.transact(async ({ db }) => ({
      epoch: (await epochs.current(db)) ?? '',
      seqs: await capturedRequests.listSeqs(db),
    }))
    const keptIds = new Set(seqs.map((seq) => requestId(epoch, seq)))
    callers.onRemoval((id) => keptIds.has(id))
  }

  const listConnected = (): ConnectedListener[] => [...connections.keys()].map(({ connected }) => connected)

  const connectionOf = ({ tunnel, id }: ListenerKey): ListenerConnection | undefined =>
    [...connections.keys()].find(({ connected }) => connected.tunnel === tunnel && connected.id === id)

  /** Accepts the connection of a listener. It replaces an older connection with the same name. */
  async function accept(socket: WebSocket, arriving: ConnectingListener): Promise<void> {
    let connection: ListenerConnection | undefined
    let greeting: Greeting | undefined
    socket.on('error', () => {})
    socket.on('message', (data) => {
      if (connection && data instanceof Buffer) readMessage(connection, data)
    })
    socket.once('close', (code) => connection && handleClose(connection, code))
    try {
      await store.transact(async (work) => {
        // The unit of work may run twice. The second run must not find the connection of the first.
        if (connection) connections.delete(connection)
        greeting = await connectListener(work, arriving)
        const older = connectionOf(arriving)
        if (older) replace(older, arriving)
        connection = createConnection(socket, greeting.connected, {
          store,
          onSend: (id) => callers.onSend(id, connection!),
        })
        // Set in the unit of work, so that the next captured request finds the connection.
        connections.set(connection, arriving)
      })
    } catch (error) {
      if (connection) connections.delete(connection)
      throw error
    }
    if (!connection || !greeting) return
    if (socket.readyState !== socket.OPEN) {
      handleClose(connection, CLOSE_ABNORMAL)
      return
    }
    await serveListener(connection, arriving, greeting)
  }

  /** Greets a listener, and sends its requests until the connection ends. */
  async function serveListener(
    connection: ListenerConnection,
    { id: listener }: ConnectingListener,
    { isNew, waiting, dropped, newest }: Greeting,
  ): Promise<void> {
    startHeartbeat(connection.socket, heartbeatMs, () => {
      connection.closeReason = 'it answered no ping'
      connection.socket.terminate()
    })
    const welcome = { isNew, waiting, dropped, newest, isPersistent, heartbeatMs }
    await connection.send({ type: 'welcome', listener, ...welcome })
    await connection.run()
  }

  /** Ends the connection. Callers that wait for it then wait only for other listeners. */
  function drop(connection: ListenerConnection): void {
    connections.delete(connection)
    connection.end()
    callers.onDisconnect(connection)
  }

  function replace(older: ListenerConnection, { instance }: ConnectingListener): void {
    const isSameProcess = connections.get(older)?.instance === instance
    drop(older)
    if (isSameProcess) older.socket.terminate()
    else older.socket.close(CLOSE_REPLACED, 'another listener took this name')
  }

  function handleClose(connection: ListenerConnection, code: number): void {
    connection.end()
    // If the connection was dropped before, its listener is already recorded as disconnected, or has a newer connection.
    if (!connections.has(connection)) return
    drop(connection)
    if (isStopped) return
    const { connected, closeReason } = connection
    const isEnded = closeReason === undefined && code === CLOSE_NORMAL
    store
      .transact((work) => disconnectListener(work, connected, closeReason ?? describeClose(code), isEnded))
      .catch(onError)
  }

  return {
    connect: (socket: WebSocket, arriving: ConnectingListener): void =>
      void accept(socket, arriving).catch((error: unknown) => {
        // Makes the listener connect again, because it would otherwise stay connected without receiving requests.
        socket.close(1011)
        if (!isStopped) onError(error)
      }),
    /** The connections of the listeners at a tunnel. */
    at: (tunnel: string): ListenerConnection[] =>
      [...connections.keys()].filter(({ connected }) => connected.tunnel === tunnel),
    wait: callers.wait,
    /** Whether an app listens at a listener's local address. `null` if this is not known. */
    isUp: (key: ListenerKey): boolean | null => connectionOf(key)?.isTargetUp ?? null,
    /** Ends the connection of a listener that was removed. */
    disconnect(key: ListenerKey): void {
      const connection = connectionOf(key)
      if (!connection) return
      drop(connection)
      connection.socket.close(CLOSE_REMOVED, 'this listener was removed')
    },
    stop(): void {
      isStopped = true
      unsubscribe()
      for (const connection of connections.keys()) connection.end()
    },
  }
}

export type ListenerRegistry = ReturnType<typeof createListenerRegistry>

const CLOSE_NORMAL = 1000

/** The code of a connection that broke off without a closing message. */
const CLOSE_ABNORMAL = 1006

const describeClose = (code: number): string => {
  if (code === CLOSE_ABNORMAL) return 'the connection was cut'
  return code === CLOSE_NORMAL ? 'it was ended' : `it closed with code ${code}`
}
