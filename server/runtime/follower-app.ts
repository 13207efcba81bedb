import { Hono } from 'hono'
import { requireAdmission } from '../control/requests/require-admission.ts'
import { createAdmission, sessionToken } from '../platform/http/admission.ts'
import type { NodeEnv } from '../platform/http/node-env.ts'
import { METRICS_TYPE, writeMetrics } from '../platform/system/metrics.ts'
import { version } from '../platform/system/version.ts'
import type { SandboxSettings } from './config/read-options.ts'
import { processMetrics } from './metrics.ts'

/** What a replica answers itself while another one leads. */
export function createFollowerApp(settings: SandboxSettings, origin: () => string): Hono<NodeEnv> {
  // A session of the inspector belongs to the leader, and a follower does not know it.
  const admit = createAdmission({ ...settings, origin, tunnelTokens: [] }, sessionToken())
  return new Hono<NodeEnv>().get('/_sandbox/metrics', requireAdmission(admit), (c) =>
    c.body(writeMetrics(processMetrics(version, 'PostgreSQL', false)), 200, { 'content-type': METRICS_TYPE }),
  )
}
