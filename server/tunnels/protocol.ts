import type { Headers } from '../domain/http/exchange.ts'
import type { WebSocket } from 'ws'

/** What the sandbox tells a listener. */
export type ListenerMessage =
  | {
      readonly type: 'welcome'
      readonly listener: string
      /** Whether the sandbox did not know it, or not any more. */
      readonly isNew: boolean
      readonly waiting: number
      readonly dropped: number
      /** The `seq` of the newest event. Older sandboxes do not say. */
      readonly newest?: number
      /** Whether what waits outlives the sandbox. Older sandboxes do not say. */
      readonly isKept?: boolean
      /** How often both ends give a sign of life, in milliseconds. */
      readonly heartbeatMs: number
    }
  | {
      readonly type: 'request'
      /** Which one it is, over restarts of either end. */
      readonly id: string
      readonly seq: number
      readonly method: string
      /** Path and query below the tunnel's name. */
      readonly path: string
      readonly headers: Headers
      /** It was sent before, and may have been posted. */
      readonly possibleDuplicate: boolean
      /** How long somebody still waits for the answer, in milliseconds. 0 where nobody does. */
      readonly awaitedMs: number
    }
  | { readonly type: 'dropped'; readonly count: number }

/** What a listener tells the sandbox. */
export type SandboxMessage =
  | { readonly type: 'answer'; readonly id: string; readonly status: number; readonly headers: Headers }
  | { readonly type: 'failed'; readonly id: string; readonly error: string }
  | { readonly type: 'target'; readonly isUp: boolean }

/** Why the sandbox ended a connection for good. */
export const CLOSE_REPLACED = 4001

export const CLOSE_REMOVED = 4002

const LENGTH_BYTES = 4

const NO_BYTES = new Uint8Array()

/** Puts a message and the bytes it is about into one frame: the length of the message, the message as JSON, the bytes. */
export function encodeFrame(
  message: ListenerMessage | SandboxMessage,
  bytes: Uint8Array = NO_BYTES,
): Uint8Array {
  const head = new TextEncoder().encode(JSON.stringify(message))
  const whole = new Uint8Array(LENGTH_BYTES + head.length + bytes.length)
  new DataView(whole.buffer).setUint32(0, head.length)
  whole.set(head, LENGTH_BYTES)
  whole.set(bytes, LENGTH_BYTES + head.length)
  return whole
}

/** Takes a frame apart. `undefined` for what is none. */
export function decodeFrame<Message extends ListenerMessage | SandboxMessage>(
  whole: Uint8Array,
): { readonly message: Message; readonly bytes: Uint8Array } | undefined {
  if (whole.length < LENGTH_BYTES) return undefined
  const end = LENGTH_BYTES + new DataView(whole.buffer, whole.byteOffset).getUint32(0)
  if (end > whole.length) return undefined
  try {
    const message: unknown = JSON.parse(new TextDecoder().decode(whole.subarray(LENGTH_BYTES, end)))
    if (message === null || typeof message !== 'object') return undefined
    return { message: message as Message, bytes: whole.subarray(end) }
  } catch {
    return undefined
  }
}

/**
 * Asks the other end for a sign of life again and again. One that gave none from one beat to the next is dead, whatever
 * the connection looks like: a frozen one is never closed by itself.
 */
export function startHeartbeat(socket: WebSocket, everyMs: number, onDead: () => void): () => void {
  let isAlive = true
  const live = (): void => void (isAlive = true)
  socket.on('pong', live).on('ping', live).on('message', live)
  const timer = setInterval(() => {
    if (!isAlive) {
      stop()
      onDead()
      return
    }
    isAlive = false
    if (socket.readyState === socket.OPEN) socket.ping()
  }, everyMs).unref()
  const stop = (): void => clearInterval(timer)
  socket.once('close', stop)
  return stop
}
