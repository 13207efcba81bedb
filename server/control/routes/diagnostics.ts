import { Hono } from 'hono'
import { z } from 'zod'
import { isAtLeastSeverity, severities } from '../../domain/diagnostics/diagnostic.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import * as diagnostics from '../../store/journal/diagnostics.ts'
import type { ControlContext } from '../context.ts'
import { accountParam } from '../../contract/schemas/request-fields.ts'
import { accountFilter } from '../requests/find-account.ts'
import { limit, seq } from '../requests/query-params.ts'
import { query } from '../requests/validators.ts'
import { DiagnosticSchema } from '../../contract/schemas/event.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { describeRoute } from '../requests/describe-route.ts'

const ListQuery = z.strictObject({
  account: accountParam,
  severity: z
    .enum(severities)
    .default('hint')
    .meta({ description: 'Only diagnostics of this severity or a higher one.' }),
  after: seq
    .optional()
    .meta({ description: 'Only diagnostics after this `seq`, oldest first. Without it, the newest.' }),
  limit: limit(100),
})

/** What the sandbox noticed about the calls of apps and the responses of receivers. */
export const diagnosticRoutes = ({ store }: ControlContext) =>
  new Hono().get(
    '/',
    describeRoute({
      summary: 'List diagnostics',
      description: 'Mistakes in calls and in the answers of receivers, including those that caused no error.',
      responses: { 200: z.object({ diagnostics: readonlyList(DiagnosticSchema) }) },
      errors: [404],
    }),
    query(ListQuery),
    async (c) => {
      const { account, severity, after, limit: most } = c.req.valid('query')
      const filter = {
        severities: severities.filter((one) => isAtLeastSeverity(one, severity)),
        ...(await accountFilter(store.db, account)),
        ...omitUndefined({ after }),
      }
      return c.json({ diagnostics: await diagnostics.list(store.db, filter, most) })
    },
  )
