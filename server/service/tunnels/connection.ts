import type { WebSocket } from 'ws'
import { stripTunnelPrefix } from '../../domain/network/tunnel.ts'
import { decodeBody } from '../../domain/http/exchange.ts'
import type { ConnectedListener } from '../operations/tunnels/connect-listener.ts'
import { createSignal } from '../../store/journal/signal.ts'
import * as capturedRequests from '../../store/repositories/captured-requests.ts'
import type { Store } from '../../store/store.ts'
import * as pendingRequests from '../../store/repositories/pending-requests.ts'
import { encodeFrame, type ListenerMessage } from '../../platform/tunnel-protocol.ts'
import { createRequestQueues, type PendingRequest, type SentRequest } from './request-queues.ts'

interface ConnectionOptions {
  readonly store: Store
  /** Called before a request is sent. Returns how long its caller will still wait, in milliseconds. */
  readonly onSend: (id: string) => number
}

/** Identifies a request, even after a restart of the sandbox or the listener. */
export const requestId = (epoch: string, seq: number): string => `${epoch.slice(0, 8)}-${seq}`

/**
 * The connection of one listener. Sends the listener's pending requests within the limits of its queues, oldest first, and in
 * sequence within each path. It reads pending requests only from the store, so it does not matter when a request became pending.
 * In memory, it keeps only the socket and the sent requests, so it survives a reset or a restored snapshot.
 */
export function createConnection(
  socket: WebSocket,
  connected: ConnectedListener,
  { store, onSend }: ConnectionOptions,
) {
  const signal = createSignal()
  const queues = createRequestQueues()
  let lastReadSeq = 0
  /**
   * How many times the connection has begun again in a new epoch. If this has changed, a read that is still running began before.
   */
  let restarts = 0
  /** The `seq` when the epoch began. Older requests come from a snapshot, so they may have been sent before. */
  let epochStart = 0
  let isOpen = true
  const sending = new Set<() => void>()

  async function run(): Promise<void> {
    while (isOpen) {
      await readPending()
      for (let next = queues.next(); next && isOpen; next = queues.next()) await sendRequest(next)
      if (isOpen) await signal.wait()
    }
  }

  async function readPending(): Promise<void> {
    const before = restarts
    const pending = await pendingRequests.list(store.db, connected, lastReadSeq)
    if (restarts !== before) return
    for (const one of pending) {
      queues.add(one.seq < epochStart ? { ...one, connection: 0 } : one)
      lastReadSeq = one.seq
    }
  }

  async function sendRequest(request: PendingRequest): Promise<void> {
    const { seq, epoch, path } = request
    const before = restarts
    // Called before the pause, so that a response during the pause does not delete the queue.
    queues.begin(path)
    const captured = await capturedRequests.find(store.db, seq)
    // Meanwhile, the request was removed, or its epoch has ended.
    if (!captured || restarts !== before || !isOpen) {
      queues.giveUp(path)
      return
    }
    const id = requestId(epoch, seq)
    const possibleDuplicate = request.connection < connected.connections
    queues.markSent(request, { id, epoch, seq, possibleDuplicate, sentAt: performance.now() })
    const { method, headers, body } = captured.request
    const message = {
      type: 'request',
      id,
      seq,
      method,
      path: stripTunnelPrefix(connected.tunnel, captured.event.path),
      headers,
      possibleDuplicate,
      callerWaitsMs: onSend(id),
    } as const
    await send(message, decodeBody(body))
  }

  /** Resolves when the message has left this process, or when it can no longer be sent. */
  function send(message: ListenerMessage, bytes?: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        sending.delete(done)
        resolve()
      }
      sending.add(done)
      socket.send(encodeFrame(message, bytes), done)
    })
  }

  return {
    connected,
    /** Whether an app listens at the listener's local address. `null` until the listener has reported it. */
    isTargetUp: null as boolean | null,
    /** Why the sandbox ends the connection. `undefined` if it does not end it. */
    closeReason: undefined as string | undefined,
    socket,
    run,
    send,
    /** Looks for pending requests again. */
    notify: signal.notify,
    /** Begins again in a new epoch, whose first event is `seq`. Requests that were already sent may still be answered. */
    restart(seq: number): void {
      restarts += 1
      epochStart = seq
      lastReadSeq = 0
      queues.clear()
      signal.notify()
    },
    /** Whether this connection has sent a request that is not answered yet. */
    has: queues.isInFlight,
    /** Returns a request that was answered, and removes it. `undefined` if this connection has not sent it. */
    takeAnswered(id: string): SentRequest | undefined {
      const sent = queues.takeAnswered(id)
      if (sent) signal.notify()
      return sent
    },
    end(): void {
      isOpen = false
      for (const done of sending) done()
      signal.notify()
    },
  }
}

export type ListenerConnection = ReturnType<typeof createConnection>
