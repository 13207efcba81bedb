import { Hono } from 'hono'
import { z } from 'zod'
import { isAtLeastSeverity, severities } from '../../domain/diagnostics/diagnostic.ts'
import * as diagnostics from '../../store/journal/diagnostics.ts'
import type { ControlContext } from '../context.ts'
import { accountParam } from '../../contract/schemas/request-fields.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { limit, query, seq } from '../requests/input.ts'
import { DiagnosticSchema } from '../../contract/schemas/event.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { describeRoute } from '../requests/describe-route.ts'

const Listing = z.strictObject({
  account: accountParam,
  severity: z
    .enum(severities)
    .default('hint')
    .meta({ description: 'Only those that matter as much, or more.' }),
  after: seq
    .optional()
    .meta({ description: 'Only those after this `seq`, the oldest first. Without it, the newest.' }),
  limit: limit(100),
})

/** What was found about what integrators sent and answered, in order. */
export const diagnosticRoutes = ({ store }: ControlContext) =>
  new Hono().get(
    '/',
    describeRoute({
      summary: 'List what was found',
      description: 'Mistakes and what works by luck, in calls and in the answers of receivers.',
      answers: { 200: z.object({ diagnostics: readonlyList(DiagnosticSchema) }) },
      problems: [404],
    }),
    query(Listing),
    async (c) => {
      const { account: accountId, severity, after, limit: most } = c.req.valid('query')
      await assertAccountExists(store.db, accountId)
      const found = await diagnostics.list(
        store.db,
        {
          severities: severities.filter((one) => isAtLeastSeverity(one, severity)),
          ...(accountId === undefined ? {} : { accountId }),
          ...(after === undefined ? {} : { after }),
        },
        most,
      )
      return c.json({ diagnostics: found })
    },
  )
