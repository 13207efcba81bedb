import { readEnvelope } from '../../../domain/api/read-answer.ts'
import type { Response } from '../../../domain/http/exchange.ts'
import type { Instant } from '../../../domain/time/berlin-time.ts'

/** A call that a real environment answered, just now or when a file was recorded. */
export interface AnsweredCall {
  /** The origin of the environment. */
  readonly upstream: string
  /** What the caller got. `null` if the caller got nothing. */
  readonly response: Response | null
  /** Why the environment gave no complete answer. In that case, `response` is the sandbox's own 502 or 504. */
  readonly failure?: { readonly code: string; readonly error: string }
  /** The content encoding of the answer, if the sandbox cannot decode it. */
  readonly undecoded?: string | undefined
  /** How long the caller waited. */
  readonly ms: number
  /** When the environment answered, if the answer comes from a file. Default: just now. */
  readonly at?: Instant | undefined
  /** The name of the file that recorded it. */
  readonly imported?: string
}

/** Whether the environment accepted the call, and its message. Nothing else about its state is known here. */
export interface UpstreamOutcome {
  readonly code: 0 | 1
  readonly message: string
}

/** Reads the envelope of an answer. Without an envelope, only the HTTP status says whether the call was accepted. */
export function readVerdict(response: Response | null, undecoded?: string): UpstreamOutcome {
  if (response === null) return { code: 0, message: 'No answer' }
  if (undecoded !== undefined)
    return {
      code: 0,
      message: `HTTP ${response.status} with a body that cannot be decoded from ${undecoded}`,
    }
  if (response.body.isOmitted)
    return { code: 0, message: `HTTP ${response.status}, and the body is not known` }
  const { ResponseCode: code, ResponseMsg: message } = readEnvelope(response) ?? {}
  return {
    // A service that sends the code as text has also accepted the call.
    code: String(code) === '1' ? 1 : 0,
    message: typeof message === 'string' ? message : `HTTP ${response.status} without ResponseMsg`,
  }
}
