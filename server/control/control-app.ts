import { Hono } from 'hono'
import type { NodeEnv } from '../platform/http/node-env.ts'
import { CONTROL_PATH } from '../domain/http/control-route.ts'
import { controlApi, type ControlOptions } from './control-api.ts'
import { healthRoutes, type HealthOptions } from './routes/health.ts'

/** The control API at its path, the routes that do not depend on its version, and the document of both. */
export function controlApp(options: ControlOptions & HealthOptions) {
  const v1 = controlApi(options)
  const { app: unversioned, documentAt } = healthRoutes(v1, options)
  const app = new Hono<NodeEnv>().route(CONTROL_PATH, v1).route('/_sandbox', unversioned)
  // The outer app, which passes requests on to this one, reports errors.
  app.onError((error) => {
    throw error
  })
  return { app, documentAt }
}
