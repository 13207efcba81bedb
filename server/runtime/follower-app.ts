import { Hono } from 'hono'
import { metricsRoutes } from '../control/routes/metrics.ts'
import { createAccessCheck, sessionToken } from '../platform/http/access.ts'
import type { NodeEnv } from '../platform/http/node-env.ts'
import { version } from '../platform/system/version.ts'
import type { SandboxSettings } from './config/read-options.ts'
import { writeFollowerMetrics } from './metrics.ts'

/** The requests that a replica answers itself while another one leads. */
export function createFollowerApp(settings: SandboxSettings, origin: () => string): Hono<NodeEnv> {
  // A session of the inspector belongs to the leader, and a follower does not know it.
  const checkAccess = createAccessCheck({ ...settings, origin, tunnelTokens: [] }, sessionToken())
  return new Hono<NodeEnv>().route(
    '/_sandbox',
    metricsRoutes(() => writeFollowerMetrics(version), checkAccess),
  )
}
