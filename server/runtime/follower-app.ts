import { Hono } from 'hono'
import { metricsRoutes } from '../control/routes/metrics.ts'
import { createAccessCheck, sessionToken } from '../platform/http/access.ts'
import type { NodeEnv } from '../platform/http/node-env.ts'
import { version } from '../platform/system/version.ts'
import type { SandboxSettings } from './config/read-options.ts'
import { writeFollowerMetrics } from './metrics.ts'

/** Answers the requests that a follower does not forward to the leader. */
export function createFollowerApp(settings: SandboxSettings, origin: () => string): Hono<NodeEnv> {
  // Without the sessions of the inspector, which only the leader knows.
  const checkAccess = createAccessCheck({ ...settings, origin, tunnelTokens: [] }, sessionToken())
  return new Hono<NodeEnv>().route(
    '/_sandbox',
    metricsRoutes(() => writeFollowerMetrics(version), checkAccess),
  )
}
