import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type Context } from 'hono'
import { api } from '../service/api/index.ts'
import { handleNotFound } from '../service/api/handle-not-found.ts'
import { checkout } from '../service/checkout/index.ts'
import type { Readiness } from '../control/routes/health.ts'
import { CONTROL_PATH } from '../domain/http/control-route.ts'
import type { ControlContext } from '../control/context.ts'
import { docsRoutes } from '../docs/index.ts'
import { createBaseUrl } from '../platform/http/base-url.ts'
import type { NodeEnv } from '../platform/http/node-env.ts'
import { createAccessCheck, sessionToken, type Access, type AccessOptions } from '../platform/http/access.ts'
import { createLogin } from '../control/login/index.ts'
import { failureMessage, failureStatus } from '../store/database-error.ts'
import { tunnelEntryPoint } from '../service/tunnels/index.ts'
import type { ListenerRegistry } from '../service/tunnels/listener-registry.ts'

interface AppOptions extends AccessOptions, Omit<ControlContext, 'baseUrl' | 'searchGuides'> {
  readonly readiness: () => Promise<Readiness>
  readonly metrics: () => Promise<string>
  /** A random text that outlives this process, such as one that is stored with the data. */
  readonly sessionKey: string | undefined
  readonly listeners: ListenerRegistry
  /** Whether this process has sent the request to itself. */
  readonly isOwnRequest: (c: Context<NodeEnv>) => boolean
  /** The folder of the built inspector. */
  readonly inspector: string
  readonly onError: (error: unknown) => void
}

const INSPECTOR_CSP =
  "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self'"

/** The app with every entry point mounted, and the built inspector. */
export function createApp(options: AppOptions): Hono<NodeEnv> {
  const {
    store,
    initialState,
    version,
    origin,
    ownPath,
    publicUrl,
    adminToken,
    sessionKey,
    planRunner,
    listeners,
    upstream,
    inspector,
    isOwnRequest,
    onError,
  } = options
  const baseUrl = createBaseUrl(publicUrl, origin)
  const session = sessionToken(adminToken, sessionKey)
  const checkOthers = createAccessCheck(options, session)
  const checkAccess = (c: Context<NodeEnv>): Access => (isOwnRequest(c) ? { granted: true } : checkOthers(c))
  const login = createLogin({
    adminToken,
    session,
    checkAccess,
    isSecure: (c) => isOverTls(c.req.header('host'), options),
  })
  const app = new Hono<NodeEnv>()
  // Loaded at the first request, because neither the control API nor the documents are needed at startup.
  const loadControl = loadOnce(async () => {
    const { controlApp } = await import('../control/control-api.ts')
    return controlApp({ ...options, baseUrl, checkAccess, searchGuides })
  })
  const loadApiDocuments = loadOnce(async () => {
    const { cachedApiDocument } = await import('../service/api/document/api-document.ts')
    return {
      withKey: cachedApiDocument(version, initialState.seed.accounts[0]?.apiKey),
      withoutKey: cachedApiDocument(version),
    }
  })
  const control = async (c: Context<NodeEnv>) => (await loadControl()).app.fetch(c.req.raw, c.env)

  // Mounted before the middleware, because middleware that changes responses makes them slow.
  app.route('/api/v2', api(store, baseUrl, onError, upstream))
  app.use(async (c, next) => {
    await next()
    c.res.headers.set('x-content-type-options', 'nosniff')
  })
  app.route('/tunnel', tunnelEntryPoint(store, ownPath, listeners))
  app.route('/', checkout(store, baseUrl, planRunner))
  app.all(`${CONTROL_PATH}/*`, control)
  const unversioned = ['health', 'ready', 'metrics', 'openapi.json'].map((name) => `/_sandbox/${name}`)
  app.on('GET', unversioned, control)
  app.route(
    '/',
    docsRoutes({
      baseUrl,
      api: async (c) => {
        const { withKey, withoutKey } = await loadApiDocuments()
        return (checkAccess(c).granted ? withKey : withoutKey)(baseUrl(c))
      },
      control: async (c) => (await loadControl()).documentAt(baseUrl(c)),
      guard: login.guard,
    }),
  )

  app.route('/', login.routes)
  app.use('/*', login.guard, async (c, next) => {
    await next()
    c.res.headers.set('content-security-policy', INSPECTOR_CSP)
    c.res.headers.set('referrer-policy', 'no-referrer')
    // The names of assets contain a hash, so assets may be cached. A page must not be cached, because after an update its assets
    // no longer exist.
    const isAsset = c.req.path.startsWith('/assets/') && c.res.ok
    c.res.headers.set('cache-control', isAsset ? 'private, max-age=31536000, immutable' : 'no-cache')
  })
  app.use('/*', serveStatic({ root: inspector }))

  app.notFound((c) => handleNotFound(store, c))
  app.onError((error, c) => {
    onError(error)
    const { status, headers } = failureStatus(error)
    return c.text(`${failureMessage(error)}\n`, status, headers)
  })
  return app
}

const searchGuides: ControlContext['searchGuides'] = async (text, options) =>
  (await import('../docs/guides/search-guides.ts')).searchGuides(text, options)

/** Returns a function that loads something once, at its first call. */
function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined
  return () => (loaded ??= load())
}

/** Whether a browser reached this host over TLS, which ends either here or at a reverse proxy. */
const isOverTls = (
  host: string | undefined,
  { origin, publicUrl = '' }: Pick<AppOptions, 'origin' | 'publicUrl'>,
): boolean => origin().startsWith('https:') || publicUrl === `https://${host}`
