import type { WebSocket } from 'ws'
import { stripTunnelPrefix } from '../../domain/network/tunnel.ts'
import { decodeBody } from '../../domain/http/exchange.ts'
import type { Connected } from '../../operations/tunnels/connect-listener.ts'
import { createSignal } from '../../store/journal/signal.ts'
import * as captures from '../../store/repositories/captured-requests.ts'
import type { Store } from '../../store/store.ts'
import * as waiting from '../../store/repositories/pending-requests.ts'
import { frame, type ToListener } from '../protocol.ts'

/** How much is sent before some of it must be answered: in all, by bytes, and of one path, which one slow path may not fill. */
const MAX_FRAMES = 64
const MAX_BYTES = 8 * 1024 * 1024
const MAX_OF_LANE = 8

/** A request that was sent and not answered. */
export interface Sent {
  readonly id: string
  readonly epoch: string
  readonly seq: number
  readonly possibleDuplicate: boolean
  /** When, by the process's own clock. */
  readonly sentAt: number
}

type Waiting = Awaited<ReturnType<typeof waiting.list>>[number]

interface Lane {
  waiting: Waiting[]
  out: number
}

interface Surroundings {
  readonly store: Store
  /** Told before a request leaves. Gives how long somebody waits for its answer. */
  readonly leaving: (id: string) => number
}

/** Which request, over restarts of either end. */
export const requestId = (epoch: string, seq: number): string => `${epoch.slice(0, 8)}-${seq}`

/**
 * Sends a listener what waits for it: oldest first, each path in order, and no more than it can hold. What there is to
 * send is read from the store alone, so that it does not matter when it came to wait.
 */
export function createConnection(socket: WebSocket, connected: Connected, { store, leaving }: Surroundings) {
  const bell = createSignal()
  const lanes = new Map<string, Lane>()
  const out = new Map<string, Sent & { readonly lane: string; readonly size: number }>()
  let bytesOut = 0
  let last = 0
  let generation = 0
  /** Where the journal began anew. What is older was put back with it, and may have been sent before. */
  let beganAt = 0
  let isOpen = true
  const leavingNow = new Set<() => void>()

  async function run(): Promise<void> {
    while (isOpen) {
      await look()
      for (let next = pick(); next && isOpen; next = pick()) await offer(next)
      if (isOpen) await bell.wait()
    }
  }

  async function look(): Promise<void> {
    const before = generation
    const fresh = await waiting.list(store.db, connected, last)
    if (generation !== before) return
    for (const one of fresh) {
      const lane = lanes.get(one.lane) ?? { waiting: [], out: 0 }
      lanes.set(one.lane, lane)
      lane.waiting.push(one.seq < beganAt ? { ...one, connection: 0 } : one)
      last = one.seq
    }
  }

  /** The oldest request that may leave now. */
  function pick(): Waiting | undefined {
    if (out.size >= MAX_FRAMES) return undefined
    let oldest: Waiting | undefined
    for (const { waiting: queue, out: underway } of lanes.values()) {
      const first = queue[0]
      if (first && underway < MAX_OF_LANE && (oldest === undefined || first.seq < oldest.seq)) oldest = first
    }
    return oldest && (out.size === 0 || bytesOut + oldest.size <= MAX_BYTES) ? oldest : undefined
  }

  async function offer({ seq, epoch, lane: name, size, connection }: Waiting): Promise<void> {
    const lane = lanes.get(name)!
    const before = generation
    lane.waiting.shift()
    const captured = await captures.find(store.db, seq)
    // Forgotten meanwhile, or of a journal that has ended.
    if (!captured || generation !== before || !isOpen) {
      tidy(name)
      return
    }
    const id = requestId(epoch, seq)
    const possibleDuplicate = connection < connected.connections
    out.set(id, { id, epoch, seq, possibleDuplicate, sentAt: performance.now(), lane: name, size })
    lane.out += 1
    bytesOut += size
    const { method, headers, body } = captured.request
    const path = stripTunnelPrefix(connected.tunnel, captured.event.path)
    const message = { type: 'request', id, seq, method, path, headers, possibleDuplicate } as const
    await send({ ...message, awaitedMs: leaving(id) }, decodeBody(body))
  }

  function tidy(name: string): void {
    const lane = lanes.get(name)
    if (lane && lane.out === 0 && lane.waiting.length === 0) lanes.delete(name)
  }

  /** Resolves once it has left this process, or never can. */
  function send(message: ToListener, bytes?: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        leavingNow.delete(done)
        resolve()
      }
      leavingNow.add(done)
      socket.send(frame(message, bytes), done)
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
    ring: bell.notify,
    /** The journal is another one now, which began with that `seq`. What was sent is still out, and may be answered. */
    restart(seq: number): void {
      generation += 1
      beganAt = seq
      last = 0
      for (const [name, lane] of lanes) {
        lane.waiting = []
        tidy(name)
      }
      bell.notify()
    },
    /** Whether it was sent here and not answered. */
    has: (id: string): boolean => out.has(id),
    /** A request was answered. `undefined` for one that was not sent here. */
    settle(id: string): Sent | undefined {
      const sent = out.get(id)
      if (!sent) return undefined
      out.delete(id)
      bytesOut -= sent.size
      lanes.get(sent.lane)!.out -= 1
      tidy(sent.lane)
      bell.notify()
      return sent
    },
    end(): void {
      isOpen = false
      for (const done of leavingNow) done()
      bell.notify()
    },
  }
}

export type Connection = ReturnType<typeof createConnection>
