import { Hono, type Context } from 'hono'
import { z } from 'zod'
import type { BaseUrl } from '../../http/base-url.ts'
import type { Admission } from '../../http/admission.ts'
import type { Document } from '../../openapi/document.ts'
import { cacheLast } from '../../openapi/cache-last.ts'
import { unusableMessage } from '../../store/sqlite/database-error.ts'
import type { Trouble } from '../../system/file-trouble.ts'
import { requireAdmission } from '../requests/require-admission.ts'
import { controlDocument, type MountedRoutes } from '../document.ts'
import { describeRoute } from '../requests/describe-route.ts'

interface Options {
  readonly version: string
  readonly readiness: () => Readiness
  readonly baseUrl: BaseUrl
  readonly admit: (c: Context) => Admission
}

/** Whether the sandbox can serve, or else what is wrong with its database. */
export type Readiness = 'starting' | 'ready' | Trouble

const State = (status: 'ok' | 'ready' | 'starting') =>
  z.object({ status: z.literal(status), version: z.string() })

const NotReady = z.union([
  State('starting'),
  z.object({ status: z.literal('failing'), version: z.string(), reason: z.string() }),
])

/** What stands beside the versions of the control API: whether the sandbox lives, and the document of it all. */
export function healthRoutes(
  v1: Pick<MountedRoutes, 'routes'>,
  { version, readiness, baseUrl, admit }: Options,
) {
  const app = new Hono()
    .get(
      '/health',
      describeRoute({
        summary: 'Ask whether it is alive',
        description: 'Answers as long as the process serves HTTP. Needs no admin token.',
        open: true,
        answers: { 200: State('ok') },
      }),
      (c) => c.json({ status: 'ok', version }),
    )
    .get(
      '/ready',
      describeRoute({
        summary: 'Ask whether it is ready',
        description:
          'It is once the database is migrated and has its accounts, and as long as the disk takes what is written.',
        open: true,
        answers: { 200: State('ready'), 503: NotReady },
      }),
      (c) => {
        const state = readiness()
        if (state === 'ready') return c.json({ status: state, version })
        if (state === 'starting') return c.json({ status: state, version }, 503)
        return c.json({ status: 'failing', version, reason: unusableMessage(state) }, 503)
      },
    )
    .get(
      '/openapi.json',
      describeRoute({
        summary: 'Get this document',
        description: 'Its server is the address that it was asked by.',
        answers: { 200: z.object({ openapi: z.string() }) },
      }),
      requireAdmission(admit),
      (c) => c.json(documentAt(baseUrl(c))),
    )

  const documentAt = cacheLast((url): Document =>
    controlDocument(
      [
        { prefix: '/_sandbox', routes: app.routes },
        { prefix: '/_sandbox/v1', routes: v1.routes },
      ],
      { version, baseUrl: url },
    ),
  )

  return { app, documentAt }
}
