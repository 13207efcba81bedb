import type { Headers } from '../domain/http/exchange.ts'
import type { RawBody } from './body.ts'

/** A request to the v2 API as it came in. */
export interface Call {
  readonly operation: string
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly url: string
  readonly token: string
  readonly headers: Headers
  readonly body: RawBody
  readonly baseUrl: string
}

/** What goes back over the wire. */
export interface CallResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
  /** How long it waits before it leaves. */
  readonly lateMs?: number
  /** How the connection ends instead of the answer, or within it. */
  readonly breaks?: 'reset' | 'truncate'
}
