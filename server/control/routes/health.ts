import { Hono, type Context } from 'hono'
import { z } from 'zod'
import type { BaseUrl } from '../../platform/http/base-url.ts'
import type { Access } from '../../platform/http/access.ts'
import type { Document } from '../../platform/openapi/document.ts'
import { cacheLast } from '../../domain/text/cache-last.ts'
import { unusableMessage } from '../../store/database-error.ts'
import type { Trouble } from '../../platform/system/file-trouble.ts'
import { CONTROL_PATH } from '../../domain/http/control-route.ts'
import { requireAccess } from '../requests/require-access.ts'
import { metricsRoutes } from './metrics.ts'
import { controlDocument, type MountedRoutes } from '../document/control-document.ts'
import { databaseEngine, replica } from '../../contract/schemas/fields.ts'
import type { Replica } from '../context.ts'
import { describeRoute } from '../requests/describe-route.ts'

export interface HealthOptions {
  readonly version: string
  /** The name and version of the database engine. */
  readonly database: string
  readonly replica: Replica | undefined
  readonly readiness: () => Promise<Readiness>
  /** The metrics of this process, in the text format of Prometheus. */
  readonly metrics: () => Promise<string>
  readonly baseUrl: BaseUrl
  readonly checkAccess: (c: Context) => Access
}

/** A `Trouble` is the reason why the database cannot be used. */
export type Readiness = 'starting' | Trouble | Ready

interface Ready {
  /** How long a read of the database took, including the wait for other reads. */
  readonly lagMs: number
  readonly freeBytes?: number
  /** The versions of all replicas. */
  readonly versions?: readonly string[]
}

/** The fields of health answers in addition to the state. */
const about = { version: z.string(), database: databaseEngine, replica: replica.optional() }

const stateSchema = <Status extends 'ok' | 'ready' | 'starting'>(status: Status) =>
  z.object({ status: z.literal(status), ...about })

const ReadySchema = stateSchema('ready').extend({
  lagMs: z
    .int()
    .optional()
    .meta({ description: 'How long a read of the database took just now. Missing if this process follows.' }),
  freeBytes: z
    .int()
    .optional()
    .meta({ description: 'Free space of the disk with the database. Missing if the database is elsewhere.' }),
})

const NotReady = z.union([
  stateSchema('starting'),
  z.object({ status: z.literal('failing'), ...about, reason: z.string() }),
])

/** The routes that do not depend on the version of the control API: health, readiness, metrics, and its OpenAPI document. */
export function healthRoutes(
  v1: Pick<MountedRoutes, 'routes'>,
  { version, database, replica: self, readiness, metrics, baseUrl, checkAccess }: HealthOptions,
) {
  const shown = { version, database, replica: self && { role: 'leader' as const, leader: self.url } }
  const app = new Hono()
    .get(
      '/health',
      describeRoute({
        summary: 'Health check',
        description: 'Answers while the process serves HTTP. Needs no admin token.',
        isPublic: true,
        responses: { 200: stateSchema('ok') },
      }),
      (c) => c.json({ status: 'ok', ...shown }),
    )
    .get(
      '/ready',
      describeRoute({
        summary: 'Readiness check',
        description:
          'The sandbox is ready once its database is set up, and while it can read from it and write to it. A follower is ready while it knows the leader. Needs no admin token.',
        isPublic: true,
        responses: { 200: ReadySchema, 503: NotReady },
      }),
      async (c) => {
        const state = await readiness()
        if (state === 'starting') return c.json({ status: state, ...shown }, 503)
        if ('what' in state)
          return c.json({ status: 'failing', ...shown, reason: unusableMessage(state) }, 503)
        const { versions, ...measured } = state
        return c.json({
          status: 'ready',
          ...shown,
          replica: shown.replica && { ...shown.replica, versions },
          ...measured,
        })
      },
    )
    .route('/', metricsRoutes(metrics, checkAccess))
    .get(
      '/openapi.json',
      describeRoute({
        summary: 'Get this document',
        description: 'Its server is the address of the request.',
        responses: { 200: z.object({ openapi: z.string() }) },
      }),
      requireAccess(checkAccess),
      (c) => c.json(documentAt(baseUrl(c))),
    )

  const documentAt = cacheLast((url): Document =>
    controlDocument(
      [
        { prefix: '/_sandbox', routes: app.routes },
        { prefix: CONTROL_PATH, routes: v1.routes },
      ],
      { version, baseUrl: url },
    ),
  )

  return { app, documentAt }
}
