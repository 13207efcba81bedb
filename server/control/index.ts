import { Hono, type Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { accountRoutes } from './routes/accounts.ts'
import { allowedHostRoutes } from './routes/allowed-hosts.ts'
import { requireAdmission } from './requests/require-admission.ts'
import { behaviorRoutes } from './routes/behaviors.ts'
import { clockRoutes } from './routes/clock.ts'
import { checkRoutes } from './routes/checks.ts'
import type { ControlContext } from './context.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { diagnosticRoutes } from './routes/diagnostics.ts'
import { eventRoutes } from './routes/events.ts'
import { faultRoutes } from './routes/faults.ts'
import { harRoute } from './routes/har.ts'
import { infoRoutes } from './routes/info.ts'
import { requireJson } from './requests/input.ts'
import { linkRoutes } from './routes/links.ts'
import { mapRoutes } from './routes/maps.ts'
import { explainUnknownRoute } from './requests/explain-unknown-route.ts'
import { errorResponse, problemResponse } from './requests/problem.ts'
import { refundRoutes } from './routes/refunds.ts'
import { reportRoute } from './routes/report.ts'
import { resetRoutes } from './routes/reset.ts'
import { MAX_MEBIBYTES, seedRoutes } from './routes/seed.ts'
import { snapshotFileRoutes } from './routes/snapshot-files.ts'
import { snapshotRoutes } from './routes/snapshots.ts'
import { streamRoute } from './routes/stream.ts'
import { targetRoutes } from './routes/targets.ts'
import { tunnelRoutes } from './routes/tunnels.ts'
import { waitRoutes } from './routes/waits.ts'
import { databaseTroubleOf } from '../store/sqlite/database-error.ts'
import type { NodeEnv } from '../http/node-env.ts'
import type { Admission } from '../http/admission.ts'

interface ControlOptions extends ControlContext {
  readonly admit: (c: Context) => Admission
  readonly onError: (error: unknown) => void
}

/** The control API: what the inspector, the command line and other programs steer the sandbox by. */
export function controlApi({ admit, onError, ...context }: ControlOptions) {
  const app = new Hono<NodeEnv>()
  app.use(requireAdmission(admit))
  // Its bodies are files, of any size but that.
  app.route('/snapshots', snapshotFileRoutes(context))
  app.use('/seed', requireJson(MAX_MEBIBYTES, Infinity))
  app.use(requireJson(1))

  const routes = app
    .route('/', infoRoutes(context))
    .route('/', streamRoute(context, onError))
    .route('/', reportRoute(context))
    .route('/', harRoute(context))
    .route('/accounts', accountRoutes(context))
    .route('/links', linkRoutes(context))
    .route('/refunds', refundRoutes(context))
    .route('/', waitRoutes(context))
    .route('/events', eventRoutes(context))
    .route('/deliveries', deliveryRoutes(context))
    .route('/diagnostics', diagnosticRoutes(context))
    .route('/checks', checkRoutes(context))
    .route('/behaviors', behaviorRoutes(context))
    .route('/faults', faultRoutes(context))
    .route('/targets', targetRoutes(context))
    .route('/tunnels', tunnelRoutes(context))
    .route('/maps', mapRoutes(context))
    .route('/allowed-hosts', allowedHostRoutes(context))
    .route('/clock', clockRoutes(context))
    .route('/seed', seedRoutes(context))
    .route('/snapshots', snapshotRoutes(context))
    .route('/reset', resetRoutes(context))

  // A route and no `notFound`, which counts in the outermost app only.
  routes.all('*', (c) =>
    problemResponse(c, 404, 'Not found', explainUnknownRoute(routes.routes, c.req.method, c.req.path)),
  )
  routes.onError((error, c) => {
    const answered = errorResponse(error, c)
    if (answered) return answered
    if (error instanceof HTTPException) return problemResponse(c, error.status, 'Not valid', error.message)
    onError(error)
    const trouble = databaseTroubleOf(error)
    const detail = trouble
      ? `It cannot use its database: ${trouble.what}. ${trouble.advice}.`
      : 'Its log says why.'
    return problemResponse(c, 500, 'The sandbox failed', detail)
  })
  return routes
}

export type ControlApi = ReturnType<typeof controlApi>
