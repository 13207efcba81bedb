import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { Headers } from '../../domain/http/exchange.ts'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import { ADMIN_COOKIE } from '../../platform/http/admission.ts'

/** Sandboxes the pages of apps: they share the inspector's origin and must not act as the inspector. */
const BROWSER_HEADERS: Headers = [
  ['content-security-policy', 'sandbox allow-scripts allow-forms'],
  ['x-content-type-options', 'nosniff'],
]

/** Whether a header field would make a browser delete or replace the admin cookie of the sandbox. */
function changesAdminCookie([name, value]: readonly [string, string]): boolean {
  const lower = name.toLowerCase()
  // A browser sends a nameless cookie back as its bare value, which may look like the admin cookie.
  return lower === 'clear-site-data' || (lower === 'set-cookie' && ADMIN_COOKIE_PATTERN.test(value))
}

const ADMIN_COOKIE_PATTERN = new RegExp(`^[\\s=]*${ADMIN_COOKIE}\\s*(?:[=;]|$)`)

/** Writes these bytes and header fields unchanged, in their order and case, except fields that change the admin cookie. */
export function writeAnswer(
  c: Context<NodeEnv>,
  {
    status,
    headers,
    bytes,
  }: { readonly status: number; readonly headers: Headers; readonly bytes: Uint8Array },
): Response {
  const { outgoing } = c.env
  // The caller has disconnected.
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
