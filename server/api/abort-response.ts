import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { NodeEnv } from '../http/node-env.ts'
import type { CallResponse } from './call.ts'
import { textSent } from './apply-response-fault.ts'

/** Ends the connection where an answer is cut, or before it begins. */
export function abortResponse({ env: { outgoing }, req }: Context<NodeEnv>, answer: CallResponse): Response {
  const { status, headers, text } = answer
  const sent = textSent(answer)
  // Of an answer without a body there is nothing to cut.
  if (sent === null || req.method === 'HEAD') outgoing.socket?.resetAndDestroy()
  else {
    outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) })
    outgoing.write(sent, () => outgoing.destroy())
  }
  return RESPONSE_ALREADY_SENT
}
