import { MIB } from '../http/limits.ts'
import { truncate } from '../text/truncate.ts'
import type { Headers } from '../http/exchange.ts'
import type { Instant } from '../time/time.ts'

/** What a tunnel may be called. It is a part of its address. */
export const TUNNEL_NAME_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/

/** What speaks against a name of a tunnel. `null` for nothing. */
export const validateTunnelName = (name: string): string | null =>
  TUNNEL_NAME_PATTERN.test(name)
    ? null
    : `${truncate(name, 100) || 'Nothing'} is no name of a tunnel. Give one of small letters, digits and dashes, like flower-shop`

/** What a listener may be called. It is a part of an address, and is printed. */
export const LISTENER_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** What a tunnel answers where no listener does. */
export interface TunnelAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  /** How long it takes its time, in milliseconds. */
  readonly delayMs: number
}

export const DEFAULT_TUNNEL_ANSWER: TunnelAnswer = {
  status: 200,
  headers: [['content-type', 'text/plain; charset=utf-8']],
  body: 'captured\n',
  delayMs: 0,
}

/** A program that takes what reaches a tunnel and posts it to a local address. */
export interface Listener {
  readonly tunnel: string
  readonly id: string
  /** The local address, without what may be a secret in it. */
  readonly to: string
  /** How often it has connected. */
  readonly connections: number
  /** How many requests it was to get and will not, and has not been told of yet. */
  readonly dropped: number
  readonly connectedAt: Instant
  /** Since when it is away, by the machine's time. `null` while it is connected. */
  readonly awaySince: Instant | null
}

/** A listener that asks to connect. */
export interface ConnectingListener extends Pick<Listener, 'tunnel' | 'id' | 'to'> {
  /** The `seq` from which it also gets what was captured before it connected. */
  readonly since: number | undefined
  /** Identifies its process: a listener that reconnects replaces its own old connection. */
  readonly instance: string
}

/** The largest body that a tunnel captures, and the largest that a listener may answer. */
export const MAX_TUNNEL_BODY_BYTES = MIB

/** What is kept of one tunnel for its listeners: the newest, up to so many and so many bytes. */
export const MAX_KEPT_REQUESTS = 1_000

export const MAX_KEPT_BYTES = 64 * MIB

/** Why a listener left that was ended on purpose. */
export const DISCONNECTED_ON_PURPOSE = 'it was ended'

/** How long a listener may be away, in milliseconds, before it is forgotten. */
export const MAX_AWAY_MS = 24 * 60 * 60 * 1000

/** Path and query below the name of a tunnel, beginning with a slash. */
export function stripTunnelPrefix(tunnel: string, target: string): string {
  const rest = target.slice(`/tunnel/${tunnel}`.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
