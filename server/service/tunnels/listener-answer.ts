import { validateHeaderName, validateHeaderValue } from 'node:http'
import {
  type Body,
  type Exchange,
  decodeBody,
  encodeBody,
  MAX_STORED_BODY_BYTES,
} from '../../domain/http/exchange.ts'
import { forwardedUrl, forwardedRequestHeaders } from '../../domain/http/proxy-headers.ts'
import { stripTunnelPrefix } from '../../domain/network/tunnel.ts'
import { truncate } from '../../domain/text/truncate.ts'
import type { ConnectedListener } from '../operations/tunnels/connect-listener.ts'
import type { CapturedRequest } from '../../store/repositories/captured-requests.ts'
import type { SandboxMessage } from '../../platform/tunnel-protocol.ts'

/** A listener's message about a request: an answer, or a failure. */
export type AnswerMessage = Extract<SandboxMessage, { readonly type: 'answer' | 'failed' }>

const MAX_ERROR_LENGTH = 500

/**
 * Why a message contains no response that can be passed on. `null` if it contains one. Nothing in the message can be trusted, not
 * even the types.
 */
export function whyNoAnswer(message: AnswerMessage): string | null {
  if (message.type === 'answer') return isValidAnswer(message) ? null : 'its answer is not valid HTTP'
  const error: unknown = message.error
  return typeof error === 'string' && error !== '' ? truncate(error, MAX_ERROR_LENGTH) : 'it does not say why'
}

function isValidAnswer(answer: { readonly status: unknown; readonly headers: unknown }): boolean {
  const { status, headers } = answer
  if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599) return false
  if (!Array.isArray(headers)) return false
  try {
    for (const field of headers as unknown[]) {
      if (!Array.isArray(field)) return false
      const [name, value]: unknown[] = field
      if (typeof name !== 'string' || typeof value !== 'string') return false
      validateHeaderName(name)
      validateHeaderValue(name, value)
    }
    return true
  } catch {
    return false
  }
}

/** The part of a body that is stored with a response. The event of the captured request contains the whole request. */
export const keptBody = (bytes: Uint8Array): Body =>
  encodeBody(bytes.subarray(0, MAX_STORED_BODY_BYTES), bytes.length)

/** The request that the listener posts to its local address. */
export function forwardedRequest(
  { tunnel, to }: ConnectedListener,
  { event, request }: CapturedRequest,
): Exchange['request'] {
  const url = forwardedUrl(to, stripTunnelPrefix(tunnel, event.path))
  const bytes = decodeBody(request.body)
  return {
    method: request.method,
    url,
    headers: forwardedRequestHeaders(request.headers, new URL(url).host, bytes.length),
    body: keptBody(bytes),
  }
}
