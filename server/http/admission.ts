import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { getCookie } from 'hono/cookie'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'

export interface AdmissionOptions {
  /** The name or address listened on. */
  readonly host: string
  readonly publicUrl: string | undefined
  /** The address listened on. */
  readonly origin: () => string
  /** Asked of everyone where set. */
  readonly adminToken: string | undefined
  /** Tokens that open the tunnels of one team each, and nothing else. */
  readonly tunnelTokens: readonly TunnelToken[]
}

/** Opens the tunnel `team` and every `team-…`. */
export interface TunnelToken {
  readonly team: string
  readonly token: string
}

/** What is about one tunnel. */
const TUNNEL_ROUTE = /^\/_sandbox\/v1\/tunnels\/([a-z0-9-]+)(?:\/|$)/

export const ADMIN_COOKIE = 'paylink_admin'

/** What the cookie holds for as long as this process runs. Cookies go to tunnels and other ports too, and the token may not. */
export const newSessionToken = (): string => randomBytes(32).toString('base64url')

/** Who may come in, and if not, why. */
export type Admission =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly status: 401 | 403; readonly reason: string }

/**
 * Keeps other web pages out of the inspector and the control API. A name that is not the sandbox's means
 * that somebody's DNS points here; another origin means that somebody's page calls here.
 */
export const createAdmission =
  ({ host, publicUrl, origin: ownOrigin, adminToken, tunnelTokens }: AdmissionOptions, session: string) =>
  (c: Context): Admission => {
    const given = c.req.header('host') ?? ''
    if (!isOwnName(given, host, publicUrl)) {
      return refuse(
        403,
        `Host ${printable(given)} is not a name of this sandbox. Use localhost or 127.0.0.1, or start with --public-url.`,
      )
    }
    const origin = c.req.header('origin')
    if (
      origin !== undefined &&
      !isOwnOrigin(origin, `${new URL(ownOrigin()).protocol}//${given}`, publicUrl)
    ) {
      return refuse(
        403,
        `Origin ${printable(origin)} is not this sandbox. Call the control API from a server or a terminal.`,
      )
    }
    // A webhook goes where an integrator's request says, and that may be here.
    if (c.req.header('user-agent')?.startsWith('paylink-sandbox/')) {
      return refuse(403, 'A webhook cannot steer the sandbox it comes from.')
    }
    if (adminToken === undefined) return { admitted: true }
    const token = tokenOf(c)
    const isAdmin =
      token === undefined
        ? isSameSecret(getCookie(c, ADMIN_COOKIE) ?? '', session)
        : isSameSecret(token, adminToken)
    if (isAdmin) return { admitted: true }
    const tunnel = TUNNEL_ROUTE.exec(c.req.path)?.[1]
    const teams = tunnelTokens.filter((one) => isSameSecret(token ?? '', one.token)).map(({ team }) => team)
    if (teams.length === 0) {
      return refuse(
        401,
        tunnel === undefined
          ? 'This sandbox asks for its admin token. Send Authorization: Bearer <token>, or open /?admin_token=<token> once.'
          : `${token === undefined ? `This sandbox asks for a token at tunnel ${tunnel}` : 'This token opens no tunnel of this sandbox'}. Send the admin token, or the one of the team that ${tunnel} belongs to: Authorization: Bearer <token>.`,
      )
    }
    if (tunnel === undefined || !teams.some((team) => tunnel === team || tunnel.startsWith(`${team}-`))) {
      const names = teams.map((team) => `${team} and ${team}-…`).join(', ')
      return refuse(
        403,
        `This token opens the tunnels ${names} only${tunnel === undefined ? '' : `, and not ${tunnel}`}.`,
      )
    }
    return { admitted: true }
  }

/** Turns away whoever is not admitted, in plain text. */
export const requireAdmissionToPages = (admit: (c: Context) => Admission) =>
  createMiddleware(async (c, next) => {
    const admission = admit(c)
    if (!admission.admitted) return c.text(admission.reason, admission.status)
    await next()
    return undefined
  })

const refuse = (status: 401 | 403, reason: string): Admission => ({ admitted: false, status, reason })

function isOwnName(given: string, host: string, publicUrl: string | undefined): boolean {
  if (!URL.canParse(`http://${given}`)) return false
  const { hostname, host: withPort } = new URL(`http://${given}`)
  if (publicUrl !== undefined && withPort === new URL(publicUrl).host) return true
  // An address cannot be rebound, only a name can.
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return isAddress || hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === host
}

function isOwnOrigin(origin: string, asked: string, publicUrl: string | undefined): boolean {
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true
  if (!URL.canParse(asked)) return false
  // What came by the public name came from the public scheme, whatever a proxy speaks here.
  const isPublic = publicUrl !== undefined && new URL(asked).host === new URL(publicUrl).host
  return !isPublic && origin === new URL(asked).origin
}

const tokenOf = (c: Context): string | undefined =>
  /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1]

/** Takes as long for a wrong token as for the right one. */
export const isSameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(digest(given), digest(expected))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const printable = (text: string): string =>
  text === '' ? '(none)' : text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)
