import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { Headers } from '../domain/exchange.ts'
import type { NodeEnv } from '../http/env.ts'

/** A page that an app or a developer has written must not act as the inspector, whose origin it has here. */
const FOR_BROWSERS: Headers = [
  ['content-security-policy', 'sandbox allow-scripts allow-forms'],
  ['x-content-type-options', 'nosniff'],
]

/** Answers with just these bytes and header fields, in their order and case. */
export function writeAnswer(
  c: Context<NodeEnv>,
  {
    status,
    headers,
    bytes,
  }: { readonly status: number; readonly headers: Headers; readonly bytes: Uint8Array },
): Response {
  const { outgoing } = c.env
  // Whoever called has gone.
  if (!('writeHead' in outgoing) || outgoing.destroyed) return RESPONSE_ALREADY_SENT
  const isBrowser =
    c.req.header('sec-fetch-mode') !== undefined || /text\/html/.test(c.req.header('accept') ?? '')
  outgoing.writeHead(status, [...headers, ...(isBrowser ? FOR_BROWSERS : [])].flat() as string[])
  outgoing.end(c.req.method === 'HEAD' ? undefined : bytes)
  return RESPONSE_ALREADY_SENT
}
