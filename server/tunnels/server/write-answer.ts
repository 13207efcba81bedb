import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { Headers } from '../../domain/http/exchange.ts'
import type { NodeEnv } from '../../http/node-env.ts'
import { ADMIN_COOKIE } from '../../http/admission.ts'

/** A page that an app or a developer has written must not act as the inspector, whose origin it has here. */
const BROWSER_HEADERS: Headers = [
  ['content-security-policy', 'sandbox allow-scripts allow-forms'],
  ['x-content-type-options', 'nosniff'],
]

/** Whether a header field would have a browser forget, or take for another, what opens the sandbox. */
function changesAdminCookie([name, value]: readonly [string, string]): boolean {
  const lower = name.toLowerCase()
  // A cookie without a name comes back as its value alone, which may look like one with a name.
  return lower === 'clear-site-data' || (lower === 'set-cookie' && ADMIN_COOKIE_PATTERN.test(value))
}

const ADMIN_COOKIE_PATTERN = new RegExp(`^[\\s=]*${ADMIN_COOKIE}\\s*(?:[=;]|$)`)

/** Answers with just these bytes and header fields, in their order and case, but for what would sign an operator out. */
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
  outgoing.writeHead(
    status,
    [
      ...headers.filter((field) => !changesAdminCookie(field)),
      ...(isBrowser ? BROWSER_HEADERS : []),
    ].flat() as string[],
  )
  outgoing.end(c.req.method === 'HEAD' ? undefined : bytes)
  return RESPONSE_ALREADY_SENT
}
