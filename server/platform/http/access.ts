import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'

export interface AccessOptions {
  /** The name or address that the sandbox listens on. */
  readonly host: string
  readonly publicUrl: string | undefined
  /** Returns the sandbox's URL, whose port is known only after the start. */
  readonly origin: () => string
  /** If set, every caller must send this token. */
  readonly adminToken: string | undefined
  readonly tunnelTokens: readonly TunnelToken[]
}

/** A token that opens only the tunnel `<team>` and tunnels `<team>-…`. */
interface TunnelToken {
  readonly team: string
  readonly token: string
}

export const ADMIN_COOKIE = 'paylink_admin'

/**
 * The value of the admin cookie. Valid while `key` stays the same, which by default is until this process ends. Browsers also
 * send the cookie to tunnels and to other ports of the host, so it must not contain the admin token.
 */
export const sessionToken = (adminToken = '', key = randomBytes(32).toString('base64url')): string =>
  createHmac('sha256', adminToken).update(key).digest('base64url')

export type Access =
  | { readonly granted: true }
  | {
      readonly granted: false
      readonly status: 401 | 403
      readonly reason: string
      /** Set if the request has the token of a team, which opens only tunnels. */
      readonly code?: 'tunnelToken'
    }

/**
 * Protects the inspector and the control API. Apart from tokens, it checks where a request comes from. With an unknown `Host`, a
 * foreign domain resolves to this address (DNS rebinding). With an unknown `Origin`, the page of another site has sent the
 * request.
 */
export const createAccessCheck =
  (options: AccessOptions, session: string) =>
  (c: Context): Access =>
    rejectSource(c, options) ?? rejectToken(c, options, session) ?? { granted: true }

function rejectSource(c: Context, { host, publicUrl, origin: ownOrigin }: AccessOptions): Access | undefined {
  const hostHeader = c.req.header('host') ?? ''
  if (!isOwnName(hostHeader, host, publicUrl)) {
    return reject(
      403,
      `Host ${printable(hostHeader)} is not a name of this sandbox. Use localhost or 127.0.0.1, or start with --public-url.`,
    )
  }
  const origin = c.req.header('origin')
  const ownScheme = new URL(ownOrigin()).protocol
  if (origin !== undefined && !isOwnOrigin(origin, `${ownScheme}//${hostHeader}`, publicUrl)) {
    return reject(
      403,
      `Origin ${printable(origin)} is not this sandbox. Call the control API from a server or a terminal.`,
    )
  }
  // Rejects webhooks of a sandbox, because whoever creates a link can choose any target, including a URL of the control API.
  if (c.req.header('user-agent')?.startsWith('paylink-sandbox/')) {
    return reject(403, 'The User-Agent is that of a webhook, and webhooks must not call the control API.')
  }
  return undefined
}

/** Matches the routes of one tunnel. */
const TUNNEL_ROUTE = /^\/_sandbox\/v1\/tunnels\/([a-z0-9-]+)(?:\/|$)/

function rejectToken(
  c: Context,
  { adminToken, tunnelTokens }: AccessOptions,
  session: string,
): Access | undefined {
  if (adminToken === undefined) return undefined
  const token = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1]
  const isAdmin =
    token === undefined
      ? isSameSecret(getCookie(c, ADMIN_COOKIE) ?? '', session)
      : isSameSecret(token, adminToken)
  if (isAdmin) return undefined

  const tunnel = TUNNEL_ROUTE.exec(c.req.path)?.[1]
  const teams = tunnelTokens.filter((one) => isSameSecret(token ?? '', one.token)).map(({ team }) => team)
  if (teams.length === 0) return reject(401, requiredToken(tunnel, token))
  if (tunnel === undefined || !teams.some((team) => tunnel === team || tunnel.startsWith(`${team}-`))) {
    const names = teams.map((team) => `${team} and ${team}-…`).join(', ')
    const others = tunnel === undefined ? '' : `, not ${tunnel}`
    return { ...reject(403, `This token opens only the tunnels ${names}${others}.`), code: 'tunnelToken' }
  }
  return undefined
}

function requiredToken(tunnel: string | undefined, token: string | undefined): string {
  if (tunnel === undefined) {
    const problem =
      token === undefined
        ? 'This sandbox requires its admin token'
        : 'The token of this request is not the admin token of this sandbox'
    return `${problem}. Send Authorization: Bearer <token>, or open /?admin_token=<token> once.`
  }
  const problem =
    token === undefined
      ? `This sandbox requires a token for tunnel ${tunnel}`
      : 'This token opens no tunnel of this sandbox'
  return `${problem}. Send the admin token, or the token of the team that ${tunnel} belongs to: Authorization: Bearer <token>.`
}

const reject = (status: 401 | 403, reason: string) => ({ granted: false, status, reason }) as const

function isOwnName(given: string, host: string, publicUrl: string | undefined): boolean {
  if (!URL.canParse(`http://${given}`)) return false
  const { hostname, host: withPort } = new URL(`http://${given}`)
  if (publicUrl !== undefined && withPort === new URL(publicUrl).host) return true
  // Any IP address is safe, because DNS rebinding needs a name.
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return isAddress || hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === host
}

function isOwnOrigin(origin: string, requestUrl: string, publicUrl: string | undefined): boolean {
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true
  if (!URL.canParse(requestUrl)) return false
  // A request for the public host name must also have the public scheme. Between a proxy and this sandbox, the scheme may differ.
  const isPublic = publicUrl !== undefined && new URL(requestUrl).host === new URL(publicUrl).host
  return !isPublic && origin === new URL(requestUrl).origin
}

/** Takes the same time whatever the secrets are, so that nobody can guess them from the time. */
export const isSameSecret = (sent: string, expected: string): boolean =>
  timingSafeEqual(digest(sent), digest(expected))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const printable = (text: string): string =>
  text === '' ? '(none)' : text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)
