import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { Headers } from '../../domain/http/exchange.ts'
import { ADMIN_COOKIE } from './access.ts'
import type { NodeEnv } from './node-env.ts'

/** A response that the sandbox did not write: from an app behind a tunnel, or from the real service. */
interface ForeignAnswer {
  readonly status: number
  readonly statusText?: string
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/**
 * The header of pages that the sandbox did not write. Without it, they would share the origin of the inspector, and could read
 * and change the sandbox.
 */
export const FOREIGN_PAGE: Headers = [
  ['content-security-policy', 'sandbox allow-scripts allow-forms'],
  ['x-content-type-options', 'nosniff'],
]

/** Header fields that would give rights to pages of other origins, or that affect the whole origin. */
const DROPPED_FIELD =
  /^(access-control-.*|clear-site-data|service-worker-allowed|strict-transport-security|alt-svc|nel|report-to|reporting-endpoints|timing-allow-origin|x-content-type-options|accept-ch|critical-ch|set-login|use-as-dictionary|expect-ct|public-key-pins.*|www-authenticate)$/i

/**
 * Writes a response with the same bytes, and with the same header fields in the same sequence and case. For a browser, changes
 * the header fields so that the page gets no rights in the sandbox; see `SECURITY.md`.
 */
export function writeForeignAnswer(
  c: Context<NodeEnv>,
  { status, statusText, headers, bytes }: ForeignAnswer,
): Response {
  const { outgoing } = c.env
  // The caller has disconnected.
  if (!('writeHead' in outgoing) || outgoing.destroyed) return RESPONSE_ALREADY_SENT
  if (c.req.header('service-worker') !== undefined) return c.text(NO_SERVICE_WORKER, 403)
  const fields = isBrowser(c) ? [...headers.filter(isHarmless), ...FOREIGN_PAGE] : headers
  outgoing.sendDate = false
  // If there is no status text, Node writes its own.
  if (statusText === undefined) outgoing.writeHead(status, fields.flat() as string[])
  else outgoing.writeHead(status, statusText, fields.flat() as string[])
  outgoing.end(c.req.method === 'HEAD' ? undefined : bytes)
  return RESPONSE_ALREADY_SENT
}

const NO_SERVICE_WORKER =
  'The sandbox serves no service workers: one would control every page at this address, including the inspector.\n'

/** Whether a browser has sent the request. Of these headers, Node's `fetch` sends only `sec-fetch-mode`. */
const isBrowser = (c: Context): boolean =>
  c.req.header('sec-fetch-site') !== undefined ||
  c.req.header('sec-fetch-dest') !== undefined ||
  (!isKnownProgram(c) &&
    ((c.req.header('user-agent') ?? '').startsWith('Mozilla/') ||
      /text\/html/.test(c.req.header('accept') ?? '')))

/** Programs that are easily mistaken for browsers: Java accepts `text/html` by default, and PowerShell calls itself Mozilla. */
const isKnownProgram = (c: Context): boolean => /^Java\/|PowerShell\//.test(c.req.header('user-agent') ?? '')

function isHarmless([name, value]: readonly [string, string]): boolean {
  if (name.toLowerCase() === 'set-cookie') return !ADMIN_COOKIE_PATTERN.test(value)
  return !DROPPED_FIELD.test(name)
}

/** Browsers send a cookie without a name back as its bare value, which could look like the admin cookie. */
const ADMIN_COOKIE_PATTERN = new RegExp(`^[\\s=]*${ADMIN_COOKIE}\\s*(?:[=;]|$)`)
