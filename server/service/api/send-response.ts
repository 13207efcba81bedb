import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import { LightResponse } from '../../platform/http/light-response.ts'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import type { CallResponse } from './call.ts'

/** Sends a response, completely or as far as a fault allows. */
export function sendResponse(c: Context<NodeEnv>, { status, headers, text, sent }: CallResponse): Response {
  const fields = {
    ...headers,
    'x-content-type-options': 'nosniff',
    'content-length': String(Buffer.byteLength(text)),
  }
  return sent === text
    ? new LightResponse(text, { status, headers: fields })
    : abortResponse(c, status, fields, sent)
}

/** Breaks the connection before the first byte or in the middle of the body. Only Node's own response can do this. */
function abortResponse(
  { env: { outgoing }, req }: Context<NodeEnv>,
  status: number,
  headers: Record<string, string>,
  sent: string | null,
): Response {
  // The response to HEAD has no body to cut, so its connection is reset.
  if (sent === null || req.method === 'HEAD') outgoing.socket?.resetAndDestroy()
  else outgoing.writeHead(status, headers).write(sent, () => outgoing.destroy())
  return RESPONSE_ALREADY_SENT
}
