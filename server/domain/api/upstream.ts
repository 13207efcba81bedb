import type { Headers } from '../http/exchange.ts'
import type { AttemptErrorCode } from '../webhooks/delivery-values.ts'

/** A call as it is sent to the upstream. */
export interface UpstreamCall {
  readonly method: string
  /** Path and query, exactly as the caller sent them. */
  readonly path: string
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** A complete response of the upstream. */
export interface UpstreamAnswer {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  /** The body as it was transferred. The caller gets exactly these bytes. */
  readonly bytes: Uint8Array
  /** The body without its content encoding, for the journal and the comparison. */
  readonly content: Uint8Array
  /** The content encoding that could not be removed from `content`, such as `zstd`. */
  readonly undecoded?: string
}

/** Why the upstream gave no complete response. */
export interface UpstreamFailure {
  readonly errorCode: AttemptErrorCode
  readonly error: string
  readonly isTimeout: boolean
}

export type UpstreamResult = { readonly answer: UpstreamAnswer } | { readonly failure: UpstreamFailure }

/**
 * If a call has this header, the sandbox answers it itself, even if it forwards all other calls. The inspector and the client
 * send it to create links in the sandbox.
 */
export const LOCAL_HEADER = 'sandbox-local'

/** The real service that the sandbox forwards calls to. */
export interface Upstream {
  readonly origin: string
  readonly allowProductionKey: boolean
  /** Sends a call once. Returns a failure instead of throwing. */
  send(call: UpstreamCall): Promise<UpstreamResult>
}

/** How long the upstream may take to respond to a call. */
export const UPSTREAM_TIMEOUT_MS = 30_000
