import type { Headers } from '../domain/http/exchange.ts'
import type { WebSocket } from 'ws'

/** A message from the sandbox to a listener. */
export type ListenerMessage =
  | {
      readonly type: 'welcome'
      readonly listener: string
      /** Whether this listener is new to the sandbox, or was forgotten. */
      readonly isNew: boolean
      /** The number of pending requests. */
      readonly waiting: number
      /** The number of requests that were removed while the listener was away. */
      readonly dropped: number
      /** The `seq` of the newest event. Older sandboxes do not send it. */
      readonly newest?: number
      /** Whether pending requests survive a restart of the sandbox. Older sandboxes do not send it. */
      readonly isPersistent?: boolean
      /** How often each end sends a ping, in milliseconds. */
      readonly heartbeatMs: number
    }
  | {
      readonly type: 'request'
      /** Identifies the request, even after a restart of either end. */
      readonly id: string
      readonly seq: number
      readonly method: string
      /** Path and query below the tunnel's name. */
      readonly path: string
      readonly headers: Headers
      /** True if the request was sent before, so that the listener may already have forwarded it. */
      readonly possibleDuplicate: boolean
      /** How long the caller will wait for the response, in milliseconds. 0 if no caller waits. */
      readonly callerWaitsMs: number
    }
  | { readonly type: 'dropped'; readonly count: number }

/** A message from a listener to the sandbox. `target` says whether an app listens at the local address. */
export type SandboxMessage =
  | { readonly type: 'answer'; readonly id: string; readonly status: number; readonly headers: Headers }
  | { readonly type: 'failed'; readonly id: string; readonly error: string }
  | { readonly type: 'target'; readonly isUp: boolean }

/**
 * The sandbox closes a connection with one of these codes if the listener must not reconnect: another listener took its name, or
 * the listener was removed.
 */
export const CLOSE_REPLACED = 4001

export const CLOSE_REMOVED = 4002

const LENGTH_BYTES = 4

const NO_BYTES = new Uint8Array()

/** Encodes a message and the bytes of a body as one frame: the length of the message, the message as JSON, then the bytes. */
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

/** Decodes a frame. `undefined` if it is invalid. Does not validate the fields of the message. */
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
 * Pings the other end regularly. Calls `onDead` if nothing has arrived between two pings, because a frozen connection never
 * closes by itself. Returns a function that stops the pings.
 */
export function startHeartbeat(socket: WebSocket, everyMs: number, onDead: () => void): () => void {
  let isAlive = true
  const setAlive = (): void => void (isAlive = true)
  socket.on('pong', setAlive).on('ping', setAlive).on('message', setAlive)
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
