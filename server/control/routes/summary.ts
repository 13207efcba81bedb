import { Hono } from 'hono'
import { severities } from '../../domain/diagnostics/diagnostic.ts'
import * as diagnostics from '../../store/journal/diagnostics.ts'
import type { ControlContext } from '../context.ts'
import { runSummary } from '../export/run-summary.ts'
import { describeRoute } from '../requests/describe-route.ts'

const MOST_DIAGNOSTICS = 1_000

export const summaryRoute = ({ store, runReport }: ControlContext) =>
  new Hono().get(
    '/summary',
    describeRoute({
      summary: 'Download a summary of the run as Markdown',
      description:
        'What the app used, the mistakes that the sandbox found, and the points that the API reference leaves open. For the summary of a CI job: it contains no text that an app sent.',
      responses: { 200: 'text/markdown' },
    }),
    async (c) => {
      const findings = await diagnostics.list(store.db, { severities }, MOST_DIAGNOSTICS)
      return c.body(runSummary(runReport(), findings), 200, {
        'content-type': 'text/markdown; charset=utf-8',
        'cache-control': 'no-store',
      })
    },
  )
