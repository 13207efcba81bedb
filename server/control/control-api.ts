import { Hono, type Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ExtractSchema } from 'hono/types'
import { CONTROL_PATH } from '../domain/http/control-route.ts'
import type { Access } from '../platform/http/access.ts'
import type { NodeEnv } from '../platform/http/node-env.ts'
import { failureMessage, failureStatus } from '../store/database-error.ts'
import type { ControlContext } from './context.ts'
import { explainUnknownRoute } from './requests/explain-unknown-route.ts'
import { errorResponse, problemResponse } from './requests/problem.ts'
import { requireAccess } from './requests/require-access.ts'
import { requireJson } from './requests/require-json.ts'
import { accountRoutes } from './routes/accounts.ts'
import { allowedHostRoutes } from './routes/allowed-hosts.ts'
import { behaviorRoutes } from './routes/behaviors.ts'
import { checkRoutes } from './routes/checks.ts'
import { clockRoutes } from './routes/clock.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { diagnosticRoutes } from './routes/diagnostics.ts'
import { eventRoutes } from './routes/events.ts'
import { failureTestRoutes } from './routes/failure-tests.ts'
import { faultRoutes } from './routes/faults.ts'
import { guideRoute } from './routes/guides.ts'
import { harRoute } from './routes/har.ts'
import { healthRoutes, type HealthOptions } from './routes/health.ts'
import { importRoute } from './routes/import.ts'
import { infoRoute } from './routes/info.ts'
import { invoiceRoute } from './routes/invoices.ts'
import { linkPaymentRoutes } from './routes/link-payments.ts'
import { linkRoutes } from './routes/links.ts'
import { mapRoutes } from './routes/maps.ts'
import { probeRoutes } from './routes/probes.ts'
import { refundRoutes } from './routes/refunds.ts'
import { reportRoute } from './routes/report.ts'
import { summaryRoute } from './routes/summary.ts'
import { resetRoutes } from './routes/reset.ts'
import { sampleStoryRoutes } from './routes/sample-story.ts'
import { MAX_MEBIBYTES, seedRoutes } from './routes/seed.ts'
import { snapshotFileRoutes } from './routes/snapshot-files.ts'
import { snapshotRoutes } from './routes/snapshots.ts'
import { streamRoute } from './routes/stream.ts'
import { targetRoutes } from './routes/targets.ts'
import { tunnelRoutes } from './routes/tunnels.ts'
import { waitRoutes } from './routes/waits.ts'

interface ControlOptions extends ControlContext {
  readonly checkAccess: (c: Context) => Access
  readonly onError: (error: unknown) => void
}

/** The control API at its path, the routes that do not depend on its version, and the document that describes both. */
export function controlApp(options: ControlOptions & HealthOptions) {
  const v1 = controlApi(options)
  const { app: unversioned, documentAt } = healthRoutes(v1, options)
  const app = new Hono<NodeEnv>().route(CONTROL_PATH, v1).route('/_sandbox', unversioned)
  // Passes errors on to the outer app, which reports them.
  app.onError((error) => {
    throw error
  })
  return { app, documentAt }
}

/** The control API, through which the inspector, the command line and other programs control the sandbox. */
export function controlApi({ checkAccess, onError, ...context }: ControlOptions) {
  const app = new Hono<NodeEnv>()
  app.use(requireAccess(checkAccess))
  // These bodies are files, so the routes come before `requireJson`.
  const files = app.route('/snapshots', snapshotFileRoutes(context)).route('/', importRoute(context))
  app.use('/seed', requireJson(MAX_MEBIBYTES, Infinity))
  app.use(requireJson(1))

  const routes = files
    .route('/', infoRoute(context))
    .route('/', streamRoute(context, onError))
    .route('/', reportRoute(context))
    .route('/', summaryRoute(context))
    .route('/', harRoute(context))
    .route('/accounts', accountRoutes(context))
    .route('/links', linkRoutes(context))
    .route('/links', linkPaymentRoutes(context))
    .route('/refunds', refundRoutes(context))
    .route('/invoices', invoiceRoute(context))
    .route('/', waitRoutes(context))
    .route('/events', eventRoutes(context))
    .route('/deliveries', deliveryRoutes(context))
    .route('/diagnostics', diagnosticRoutes(context))
    .route('/guides', guideRoute(context))
    .route('/checks', checkRoutes(context))
    .route('/checks', probeRoutes(context))
    .route('/tests', failureTestRoutes(context))
    .route('/behaviors', behaviorRoutes(context))
    .route('/faults', faultRoutes(context))
    .route('/targets', targetRoutes(context))
    .route('/tunnels', tunnelRoutes(context))
    .route('/maps', mapRoutes(context))
    .route('/allowed-hosts', allowedHostRoutes(context))
    .route('/clock', clockRoutes(context))
    .route('/seed', seedRoutes(context))
    .route('/seed', sampleStoryRoutes(context))
    .route('/snapshots', snapshotRoutes(context))
    .route('/reset', resetRoutes(context))

  // Not `notFound`, because Hono calls only the `notFound` handler of the outermost app.
  routes.all('*', (c) =>
    problemResponse(c, 404, explainUnknownRoute(routes.routes, c.req.method, c.req.path)),
  )
  routes.onError((error, c) => {
    const expected = errorResponse(error, c)
    if (expected) return expected
    if (error instanceof HTTPException) return problemResponse(c, error.status, error.message)
    onError(error)
    const { status, headers } = failureStatus(error)
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    return problemResponse(c, status, failureMessage(error))
  })
  return routes
}

/** The routes, with the types of their parameters, queries, bodies and responses. Clients infer their types from it. */
export type ControlRoutes = ExtractSchema<ReturnType<typeof controlApi>>
