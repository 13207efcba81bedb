import { Hono, type Context } from 'hono'
import type { Access } from '../../platform/http/access.ts'
import { METRICS_TYPE } from '../../platform/system/metrics.ts'
import { describeRoute } from '../requests/describe-route.ts'
import { requireAccess } from '../requests/require-access.ts'

/** Serves the metrics. `read` returns those of this process, in the text format of Prometheus. */
export const metricsRoutes = (read: () => Promise<string> | string, checkAccess: (c: Context) => Access) =>
  new Hono().get(
    '/metrics',
    describeRoute({
      summary: 'Get metrics in the text format of Prometheus',
      description:
        'Calls, units of work, commits, webhooks and memory of this process. A replica that follows answers for itself.',
      responses: { 200: 'text/plain' },
    }),
    requireAccess(checkAccess),
    async (c) => c.body(await read(), 200, { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' }),
  )
