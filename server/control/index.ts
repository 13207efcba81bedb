import { Hono, type Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { accountRoutes } from './accounts.ts'
import { allowedHostRoutes } from './allowed-hosts.ts'
import { admitted } from './admitted.ts'
import { behaviorRoutes } from './behaviors.ts'
import { clockRoutes } from './clock.ts'
import { checkRoutes } from './checks.ts'
import type { ControlContext } from './context.ts'
import { deliveryRoutes } from './deliveries.ts'
import { diagnosticRoutes } from './diagnostics.ts'
import { eventRoutes } from './events.ts'
import { faultRoutes } from './faults.ts'
import { harRoute } from './har.ts'
import { infoRoutes } from './info.ts'
import { jsonOnly } from './input.ts'
import { linkRoutes } from './links.ts'
import { mapRoutes } from './maps.ts'
import { noRoute } from './no-route.ts'
import { answerProblem, write } from './problem.ts'
import { refundRoutes } from './refunds.ts'
import { reportRoute } from './report.ts'
import { resetRoutes } from './reset.ts'
import { MOST_MEBIBYTES, seedRoutes } from './seed.ts'
import { snapshotFileRoutes } from './snapshot-file.ts'
import { snapshotRoutes } from './snapshots.ts'
import { streamRoute } from './stream.ts'
import { targetRoutes } from './targets.ts'
import { tunnelRoutes } from './tunnels.ts'
import { waitRoutes } from './waits.ts'
import { troubleOf } from '../store/database-problem.ts'
import type { NodeEnv } from '../http/env.ts'
import type { Admission } from '../http/guard.ts'

interface ControlOptions extends ControlContext {
  readonly admit: (c: Context) => Admission
  readonly onError: (error: unknown) => void
}

/** The control API: what the inspector, the command line and other programs steer the sandbox by. */
export function control({ admit, onError, ...context }: ControlOptions) {
  const app = new Hono<NodeEnv>()
  app.use(admitted(admit))
  // Its bodies are files, of any size but that.
  app.route('/snapshots', snapshotFileRoutes(context))
  app.use('/seed', jsonOnly(MOST_MEBIBYTES, Infinity))
  app.use(jsonOnly(1))

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
  routes.all('*', (c) => write(c, 404, 'Not found', noRoute(routes.routes, c.req.method, c.req.path)))
  routes.onError((error, c) => {
    const answered = answerProblem(error, c)
    if (answered) return answered
    if (error instanceof HTTPException) return write(c, error.status, 'Not valid', error.message)
    onError(error)
    const trouble = troubleOf(error)
    const detail = trouble
      ? `It cannot use its database: ${trouble.what}. ${trouble.advice}.`
      : 'Its log says why.'
    return write(c, 500, 'The sandbox failed', detail)
  })
  return routes
}

export type ControlApi = ReturnType<typeof control>
