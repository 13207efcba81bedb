import { Hono, type Context } from 'hono'
import { z } from 'zod'
import type { BaseUrl } from '../http/base-url.ts'
import type { Admission } from '../http/guard.ts'
import type { Document } from '../openapi/document.ts'
import { keepLast } from '../openapi/keep-last.ts'
import { admitted } from './admitted.ts'
import { controlDocument, type Described } from './document.ts'
import { tell } from './tell.ts'

interface Options {
  readonly version: string
  readonly isReady: () => boolean
  readonly baseUrl: BaseUrl
  readonly admit: (c: Context) => Admission
}

const State = (status: 'ok' | 'ready' | 'starting') =>
  z.object({ status: z.literal(status), version: z.string() })

/** What stands beside the versions of the control API: whether the sandbox lives, and the document of it all. */
export function besideControl(v1: Pick<Described, 'routes'>, { version, isReady, baseUrl, admit }: Options) {
  const app = new Hono()
    .get(
      '/health',
      tell({ summary: 'Ask whether it is alive', open: true, answers: { 200: State('ok') } }),
      (c) => c.json({ status: 'ok', version }),
    )
    .get(
      '/ready',
      tell({
        summary: 'Ask whether it is ready',
        description: 'It is once the database is migrated and has its accounts.',
        open: true,
        answers: { 200: State('ready'), 503: State('starting') },
      }),
      (c) =>
        isReady() ? c.json({ status: 'ready', version }) : c.json({ status: 'starting', version }, 503),
    )
    .get(
      '/openapi.json',
      tell({ summary: 'Get this document', answers: { 200: z.object({ openapi: z.string() }) } }),
      admitted(admit),
      (c) => c.json(documentAt(baseUrl(c))),
    )

  const documentAt = keepLast((url): Document =>
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
