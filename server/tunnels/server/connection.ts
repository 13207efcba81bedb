import type { WebSocket } from 'ws'
import { stripTunnelPrefix } from '../../domain/network/tunnel.ts'
import { decodeBody } from '../../domain/http/exchange.ts'
import type { ConnectedListener } from '../../operations/tunnels/connect-listener.ts'
import { createSignal } from '../../store/journal/signal.ts'
import * as capturedRequests from '../../store/repositories/captured-requests.ts'
import type { Store } from '../../store/store.ts'
import * as pendingRequests from '../../store/repositories/pending-requests.ts'
import { encodeFrame, type ListenerMessage } from '../protocol.ts'

/** How much is sent before some of it must be answered: in all, by bytes, and of one path, which one slow path may not fill. */
const MAX_IN_FLIGHT = 64
const MAX_BYTES_IN_FLIGHT = 8 * 1024 * 1024
const MAX_IN_FLIGHT_PER_PATH = 8

/** A request that was sent and not answered. */
export interface SentRequest {
  readonly id: string
  readonly epoch: string
  readonly seq: number
  readonly possibleDuplicate: boolean
  /** When, by the process's own clock. */
  readonly sentAt: number
}

type PendingRequest = Awaited<ReturnType<typeof pendingRequests.list>>[number]

interface PathQueue {
  pending: PendingRequest[]
  inFlight: number
}

interface ConnectionOptions {
  readonly store: Store
  /** Told before a request leaves. Gives how long somebody waits for its answer. */
  readonly onSend: (id: string) => number
}

/** Which request, over restarts of either end. */
export const requestId = (epoch: string, seq: number): string => `${epoch.slice(0, 8)}-${seq}`

/**
 * Sends a listener what waits for it: oldest first, each path in order, and no more than it can hold. What there is to
 * send is read from the store alone, so that it does not matter when it came to wait.
 */
export function createConnection(
  socket: WebSocket,
  connected: ConnectedListener,
  { store, onSend: leaving }: ConnectionOptions,
) {
  const signal = createSignal()
  const queues = new Map<string, PathQueue>()
  const inFlight = new Map<string, SentRequest & { readonly lane: string; readonly size: number }>()
  let bytesInFlight = 0
  let lastRead = 0
  let generation = 0
  /** Where the journal began anew. What is older was put back with it, and may have been sent before. */
  let epochStart = 0
  let isOpen = true
  const sending = new Set<() => void>()

  async function run(): Promise<void> {
    while (isOpen) {
      await readPending()
      for (let next = nextToSend(); next && isOpen; next = nextToSend()) await sendRequest(next)
      if (isOpen) await signal.wait()
    }
  }

  async function readPending(): Promise<void> {
    const before = generation
    const fresh = await pendingRequests.list(store.db, connected, lastRead)
    if (generation !== before) return
    for (const one of fresh) {
      const lane = queues.get(one.path) ?? { pending: [], inFlight: 0 }
      queues.set(one.path, lane)
      lane.pending.push(one.seq < epochStart ? { ...one, connection: 0 } : one)
      lastRead = one.seq
    }
  }

  /** The oldest request that may leave now. */
  function nextToSend(): PendingRequest | undefined {
    if (inFlight.size >= MAX_IN_FLIGHT) return undefined
    let oldest: PendingRequest | undefined
    for (const { pending: queue, inFlight: underway } of queues.values()) {
      const first = queue[0]
      if (first && underway < MAX_IN_FLIGHT_PER_PATH && (oldest === undefined || first.seq < oldest.seq))
        oldest = first
    }
    return oldest && (inFlight.size === 0 || bytesInFlight + oldest.size <= MAX_BYTES_IN_FLIGHT)
      ? oldest
      : undefined
  }

  async function sendRequest({ seq, epoch, path: name, size, connection }: PendingRequest): Promise<void> {
    const lane = queues.get(name)!
    const before = generation
    lane.pending.shift()
    const captured = await capturedRequests.find(store.db, seq)
    // Forgotten meanwhile, or of a journal that has ended.
    if (!captured || generation !== before || !isOpen) {
      deleteIfEmpty(name)
      return
    }
    const id = requestId(epoch, seq)
    const possibleDuplicate = connection < connected.connections
    inFlight.set(id, { id, epoch, seq, possibleDuplicate, sentAt: performance.now(), lane: name, size })
    lane.inFlight += 1
    bytesInFlight += size
    const { method, headers, body } = captured.request
    const path = stripTunnelPrefix(connected.tunnel, captured.event.path)
    const message = { type: 'request', id, seq, method, path, headers, possibleDuplicate } as const
    await send({ ...message, awaitedMs: leaving(id) }, decodeBody(body))
  }

  function deleteIfEmpty(name: string): void {
    const lane = queues.get(name)
    if (lane && lane.inFlight === 0 && lane.pending.length === 0) queues.delete(name)
  }

  /** Resolves once it has left this process, or never can. */
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
    /** Whether something listens at its local address, as far as it has said. */
    isUp: null as boolean | null,
    /** Why it is about to end, where that is known before it does. */
    ending: undefined as string | undefined,
    socket,
    run,
    send,
    ring: signal.notify,
    /** The journal is another one now, which began with that `seq`. What was sent is still out, and may be answered. */
    restart(seq: number): void {
      generation += 1
      epochStart = seq
      lastRead = 0
      for (const [name, lane] of queues) {
        lane.pending = []
        deleteIfEmpty(name)
      }
      signal.notify()
    },
    /** Whether it was sent here and not answered. */
    has: (id: string): boolean => inFlight.has(id),
    /** A request was answered. `undefined` for one that was not sent here. */
    settle(id: string): SentRequest | undefined {
      const sent = inFlight.get(id)
      if (!sent) return undefined
      inFlight.delete(id)
      bytesInFlight -= sent.size
      queues.get(sent.lane)!.inFlight -= 1
      deleteIfEmpty(sent.lane)
      signal.notify()
      return sent
    },
    end(): void {
      isOpen = false
      for (const done of sending) done()
      signal.notify()
    },
  }
}

export type Connection = ReturnType<typeof createConnection>
