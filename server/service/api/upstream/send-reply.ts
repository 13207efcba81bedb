import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { NodeEnv } from '../../../platform/http/node-env.ts'
import type { Reply } from './handle-upstream-call.ts'

/** Writes an answer to Node's own response object, which keeps the order and the case of header fields. */
export function sendReply(
  { env: { outgoing } }: Context<NodeEnv>,
  { status, statusText, headers, bytes }: Reply,
): Response {
  outgoing.sendDate = false
  outgoing.writeHead(status, statusText, headers.flat())
  outgoing.end(bytes)
  return RESPONSE_ALREADY_SENT
}
