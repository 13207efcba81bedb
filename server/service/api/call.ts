import type { Account } from '../../domain/accounts/account.ts'
import type { ErrorDetails } from '../../domain/api/api-error.ts'
import type { ActiveBehaviors } from '../../domain/behaviors/behavior.ts'
import type { Headers } from '../../domain/http/exchange.ts'
import type { FaultEvaluation } from '../../store/repositories/faults.ts'
import type { RawBody } from './raw-body.ts'
import type { Envelope } from '../../domain/api/envelope.ts'
import type { Success } from './envelope.ts'

/** A request to the v2 API as it was received. */
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

/** What is already decided about a call before its operation runs. */
export interface CallContext {
  readonly account: Account | undefined
  readonly behaviors: ActiveBehaviors
  /** Seconds until the next call is allowed, or 0 if this call is allowed. */
  readonly retryAfter: number
  /** The effect of the faults on the call. Decided once, and saved with the record of the call. */
  readonly fault: FaultEvaluation<'api'> | undefined
}

/** The result of a call, before a fault changes the response. */
export interface CallResult {
  readonly status: number
  readonly envelope: Envelope
  /** The error in the response. Missing if a fault replaces the response. */
  readonly error?: ErrorDetails
  readonly success: Success | undefined
}

/** A response of the v2 API, changed by a fault if one applies. */
export interface CallResponse {
  readonly status: number
  readonly headers: Record<string, string>
  /** The complete body. `Content-Length` is its length, even if a fault cuts the body. */
  readonly text: string
  /** The part of `text` that is sent. `null` if the connection is reset before the first byte. */
  readonly sent: string | null
  /** How long a fault delays the response. */
  readonly delayMs: number
}
