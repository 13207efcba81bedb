import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import {
  connectOnce,
  sendTargetState,
  type ListenerSocketOptions,
  type WelcomeMessage,
} from './connect-once.ts'
import { createPathQueues, type ForwardResult } from './path-queues.ts'
import { ListenerRejectedError } from './rejected-error.ts'
import { watchTarget } from './watch-target.ts'
import { hidePasswords } from '../../domain/network/credentials.ts'

type Welcome = WelcomeMessage & {
  /** Whether this process was connected before. */
  readonly isReconnect: boolean
}

export interface ListenCallbacks {
  onConnected(welcome: Welcome): void
  onDisconnected(why: string): void
  /** Called when connecting failed because no sandbox responded. */
  onUnreachable(why: string): void
  /** Called when an app has begun or stopped listening at the local address. */
  onTargetChange(isUp: boolean, why: string): void
  onForwarded(result: ForwardResult): void
  /** Called when the sandbox has removed pending requests to make room for newer ones. */
  onDropped(count: number): void
}

const FIRST_RECONNECT_DELAY_MS = 100
const MAX_RECONNECT_DELAY_MS = 2_000

/** A name for the listener that is always the same for this machine and local address. */
export const listenerName = (to: string): string => {
  const { host, pathname } = new URL(to)
  return `${hostname()}-${host}${pathname}`
    .replaceAll(/[^A-Za-z0-9.]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 100)
}

/**
 * Forwards what a tunnel captures to a local address and sends the responses back, until the signal is aborted. Reconnects after
 * a lost connection or a restart of the sandbox. Throws `ListenerRejectedError` if the sandbox does not accept the listener, and
 * any error that a callback throws.
 */
export async function listen(
  options: ListenerSocketOptions,
  callbacks: ListenCallbacks,
  signal: AbortSignal,
): Promise<void> {
  assertNotItself(options)
  const failed = new AbortController()
  const failures: unknown[] = []
  const fail = (error: unknown): void => {
    failures.push(error)
    failed.abort()
  }
  await stayConnected(options, catchErrors(callbacks, fail), AbortSignal.any([signal, failed.signal]))
  if (failures.length > 0) throw failures[0]
}

/**
 * Passes errors of callbacks to `fail`. Callbacks run in event handlers of sockets, where a thrown error would end the process.
 */
function catchErrors(callbacks: ListenCallbacks, fail: (error: unknown) => void): ListenCallbacks {
  const caught =
    <Args extends unknown[]>(callback: (...args: Args) => void) =>
    (...args: Args): void => {
      try {
        callback(...args)
      } catch (error) {
        fail(error)
      }
    }
  return {
    onConnected: caught((welcome) => callbacks.onConnected(welcome)),
    onDisconnected: caught((why) => callbacks.onDisconnected(why)),
    onUnreachable: caught((why) => callbacks.onUnreachable(why)),
    onTargetChange: caught((isUp, why) => callbacks.onTargetChange(isUp, why)),
    onForwarded: caught((result) => callbacks.onForwarded(result)),
    onDropped: caught((count) => callbacks.onDropped(count)),
  }
}

async function stayConnected(
  options: ListenerSocketOptions,
  callbacks: ListenCallbacks,
  signal: AbortSignal,
): Promise<void> {
  let current: WebSocket | undefined
  const target = watchTarget(
    options.to,
    (isUp, why) => {
      callbacks.onTargetChange(isUp, why)
      sendTargetState(current, isUp)
    },
    signal,
  )
  await target.firstCheck
  const queues = createPathQueues(options.to, target, callbacks.onForwarded)
  const instance = randomUUID()
  let isReconnect = false

  for (let delayMs = FIRST_RECONNECT_DELAY_MS; !signal.aborted;) {
    const { wasConnected, why } = await connectOnce(options, {
      instance,
      isReconnect,
      signal,
      queues,
      onWelcome: (socket, welcome) => {
        current = socket
        sendTargetState(socket, target.isUp())
        callbacks.onConnected({ ...welcome, isReconnect })
        isReconnect = true
        delayMs = FIRST_RECONNECT_DELAY_MS
      },
      onDropped: callbacks.onDropped,
    })
    current = undefined
    if (signal.aborted) break
    if (wasConnected) callbacks.onDisconnected(why)
    else callbacks.onUnreachable(why)
    await pause(delayMs, undefined, { signal }).catch(() => {})
    delayMs = Math.min(delayMs * 2, MAX_RECONNECT_DELAY_MS)
  }
}

/** Rejects a local address that is the tunnel itself, because the tunnel would capture its own requests over and over. */
function assertNotItself({ url, tunnel, to }: ListenerSocketOptions): void {
  const { origin, pathname } = new URL(to)
  if (origin !== new URL(url).origin || pathname.split('/', 3).join('/') !== `/tunnel/${tunnel}`) return
  throw new ListenerRejectedError(
    `Tunnel ${tunnel} would be forwarded to itself. Pass --forward-to the address of your app, not ${hidePasswords(to)}.`,
    400,
  )
}
