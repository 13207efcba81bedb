import { readEnvelope } from '../../../domain/api/read-answer.ts'
import type { Response } from '../../../domain/http/exchange.ts'
import type { Instant } from '../../../domain/time/berlin-time.ts'

/** A call that the real service has answered, either just now or in a recorded file. */
export interface AnsweredCall {
  /** The origin of the real service. */
  readonly upstream: string
  /** The response to the caller. `null` if there was none. */
  readonly response: Response | null
  /** Why the service gave no complete response. In that case, `response` is the sandbox's own 502 or 504. */
  readonly failure?: { readonly code: string; readonly error: string }
  /** The content encoding of the response, if the sandbox cannot decode it. */
  readonly undecoded?: string | undefined
  /** How long the caller waited. */
  readonly ms: number
  /** When the service responded, if the response comes from a file. Default: now. */
  readonly at?: Instant | undefined
  /** The name of the file that the call comes from. */
  readonly imported?: string
}

/** Whether the service accepted the call, and its message. Nothing else is known about the state of the service. */
export interface UpstreamOutcome {
  readonly code: 0 | 1
  readonly message: string
}

/** Reads the envelope of a response. If there is none, only the HTTP status shows whether the call was accepted. */
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
    // Some services send the code as text.
    code: String(code) === '1' ? 1 : 0,
    message: typeof message === 'string' ? message : `HTTP ${response.status} without ResponseMsg`,
  }
}
