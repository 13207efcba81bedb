import { tidy } from '../../domain/text/tidy.ts'
import { Hono, type Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { createHash } from 'node:crypto'
import { ADMIN_COOKIE, isSameSecret, type Access } from '../../platform/http/access.ts'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import { readBody } from '../../platform/http/read-request.ts'
import controlsCss from '../../platform/pages/controls.css?raw'
import tokensCss from '../../platform/pages/tokens.css?raw'
import loginCss from './login.css?raw'
import { LoginPage } from './login-page.tsx'
import { PAGES, STYLE_PATH } from './paths.ts'

interface Options {
  readonly adminToken: string | undefined
  /** The value of the session cookie. */
  readonly session: string
  readonly checkAccess: (c: Context) => Access
  /** Whether the browser reached the sandbox over TLS. */
  readonly isSecure: (c: Context) => boolean
}

const MAX_FORM_BYTES = 16 * 1024

/** With a stricter referrer policy, browsers would send the form without an `Origin`. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  vary: 'accept',
}

/** Shows the login form. It is posted to the address of the current page, so that the browser stays there. */
function askForToken(c: Context, isWrong: boolean) {
  const action = PAGES.includes(c.req.path) ? undefined : '/'
  const isExpired = getCookie(c, ADMIN_COOKIE) !== undefined
  return c.html(`<!doctype html>${LoginPage({ action, isWrong, isExpired })}`, 401, HEADERS)
}

/**
 * A script that opens the same address again with `location.replace`. If the address has a fragment, a normal navigation would
 * not send a request.
 */
const REPEAT = "const { href } = location; history.replaceState(null, '', '?again'); location.replace(href)"
const REPEAT_HASH = createHash('sha256').update(REPEAT).digest('base64')

/**
 * After a link on another site was clicked, the browser does not send the `SameSite=Strict` cookie, even if there is a session.
 * This page opens the same address again, now from the sandbox itself, so that the browser sends the cookie.
 */
const repeatWithCookie = (c: Context) =>
  c.html(
    `<!doctype html><html lang="en"><title>paylink-sandbox</title><script>${REPEAT}</script></html>`,
    401,
    {
      ...HEADERS,
      'content-security-policy': `default-src 'none'; script-src 'sha256-${REPEAT_HASH}'; frame-ancestors 'none'`,
    },
  )

/**
 * A browser cannot send a bearer token when it opens a page. So the user enters the token once, and a cookie keeps the session.
 */
export function createLogin({ adminToken, session, checkAccess, isSecure }: Options) {
  const routes = new Hono<NodeEnv>()

  const startSession = (c: Context): void =>
    setCookie(c, ADMIN_COOKIE, session, {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
      secure: isSecure(c),
    })

  routes.get(STYLE_PATH, (c) =>
    c.body(tokensCss + controlsCss + loginCss, 200, {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'no-cache',
    }),
  )

  routes.get('/', async (c, next) => {
    const token = c.req.query('admin_token')
    if (adminToken === undefined || token === undefined || !isSameSecret(token, adminToken)) return next()
    startSession(c)
    return c.redirect('/')
  })

  routes.on('POST', PAGES, async (c, next) => {
    if (adminToken === undefined) return next()
    const access = checkAccess(c)
    if (!access.granted && access.status === 403) return c.text(access.reason, 403)
    const { bytes } = await readBody(c, MAX_FORM_BYTES)
    const token = new URLSearchParams(new TextDecoder().decode(bytes)).get('admin_token') ?? ''
    if (!isSameSecret(tidy(token), adminToken)) return askForToken(c, true)
    startSession(c)
    return c.redirect(c.req.path, 303)
  })

  /** Rejects requests without access. A browser gets the login form, other clients get plain text. */
  const guard = createMiddleware(async (c, next) => {
    const access = checkAccess(c)
    if (access.granted) {
      await next()
      return undefined
    }
    const isBrowser = /text\/html/.test(c.req.header('accept') ?? '')
    if (access.status !== 401 || !isBrowser) return c.text(access.reason, access.status)
    return c.req.header('sec-fetch-site') === 'cross-site'
      ? repeatWithCookie(c)
      : askForToken(c, c.req.query('admin_token') !== undefined)
  })

  return { routes, guard }
}
