import { Hono } from 'hono'
import { requireAccess } from '../control/requests/require-access.ts'
import { createAccessCheck, sessionToken } from '../platform/http/access.ts'
import type { NodeEnv } from '../platform/http/node-env.ts'
import { METRICS_TYPE, writeMetrics } from '../platform/system/metrics.ts'
import { version } from '../platform/system/version.ts'
import type { SandboxSettings } from './config/read-options.ts'
import { processMetrics } from './metrics.ts'

/** What a replica answers itself while another one leads. */
export function createFollowerApp(settings: SandboxSettings, origin: () => string): Hono<NodeEnv> {
  // A session of the inspector belongs to the leader, and a follower does not know it.
  const checkAccess = createAccessCheck({ ...settings, origin, tunnelTokens: [] }, sessionToken())
  return new Hono<NodeEnv>().get('/_sandbox/metrics', requireAccess(checkAccess), (c) =>
    c.body(writeMetrics(processMetrics(version, 'PostgreSQL', false)), 200, { 'content-type': METRICS_TYPE }),
  )
}
