import { MIB } from '../http/limits.ts'
import type { Headers } from '../http/exchange.ts'
import type { Instant } from '../time/berlin-time.ts'

/** The allowed names of a tunnel. The name is part of its URL. */
export const TUNNEL_NAME_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/

/** The same in words. */
export const TUNNEL_NAME_FORM = 'up to 63 lower-case letters, digits and dashes, like flower-shop'

/** Why the name of a tunnel is invalid, or `null` if it is valid. */
export const whyInvalidTunnelName = (name: string): string | null =>
  TUNNEL_NAME_PATTERN.test(name) ? null : `should be ${TUNNEL_NAME_FORM}`

/** The allowed names of a listener. The name is part of a URL and is printed. */
export const LISTENER_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** What a tunnel responds with if no listener does. */
export interface TunnelAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  readonly delayMs: number
}

export const DEFAULT_TUNNEL_ANSWER: TunnelAnswer = {
  status: 200,
  headers: [['content-type', 'text/plain; charset=utf-8']],
  body: 'captured\n',
  delayMs: 0,
}

/** A program that receives the requests of a tunnel and forwards them to a local address. */
export interface Listener {
  readonly tunnel: string
  readonly id: string
  /** The local address, without parts that may be secret. */
  readonly to: string
  /** The number of its connections so far. */
  readonly connections: number
  /** How many requests were deleted before the listener could fetch them, since the last time it was told. */
  readonly dropped: number
  readonly connectedAt: Instant
  /** When the listener disconnected, by the system clock. `null` while it is connected. */
  readonly awaySince: Instant | null
}

/** What a listener sends when it connects. */
export interface ConnectingListener extends Pick<Listener, 'tunnel' | 'id' | 'to'> {
  /** The `seq` of the first captured request that it wants to receive. */
  readonly since: number | undefined
  /** A random id of its process. A listener that reconnects replaces its old connection. */
  readonly instance: string
}

/** The maximum size of a request body that a tunnel captures, and of a listener's response body. */
export const MAX_TUNNEL_BODY_BYTES = MIB

/** How many requests a tunnel keeps for its listeners. The oldest are deleted first. */
export const MAX_KEPT_REQUESTS = 1_000

export const MAX_KEPT_BYTES = 64 * MIB

/** How long a disconnected listener is remembered, in milliseconds. */
export const MAX_AWAY_MS = 24 * 60 * 60 * 1000

/** The path and query after the name of a tunnel, with a leading slash. */
export function stripTunnelPrefix(tunnel: string, target: string): string {
  const rest = target.slice(`/tunnel/${tunnel}`.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
