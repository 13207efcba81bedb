import { Hono } from 'hono'
import { z } from 'zod'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import type { ControlContext } from '../context.ts'
import { download } from '../export/download.ts'
import { accountParam, linkParam } from '../../contract/schemas/request-fields.ts'
import { accountFilter } from '../requests/find-account.ts'
import { linkFilter } from '../requests/find-link.ts'
import { harText } from '../export/har-text.ts'
import { seq } from '../requests/query-params.ts'
import { query } from '../requests/validators.ts'
import { describeRoute } from '../requests/describe-route.ts'

const ExportQuery = z.strictObject({
  account: accountParam,
  link: linkParam,
  after: seq.optional().meta({ description: 'Only events after this `seq`.' }),
})

/** Describes only the outermost fields. The specification of HAR describes the rest. */
const Archive = z.object({ log: z.looseObject({ version: z.literal('1.2') }) })

export const harRoute = ({ store, version }: ControlContext) =>
  new Hono<NodeEnv>().get(
    '/export.har',
    describeRoute({
      summary: 'Export requests and responses as an HTTP Archive',
      description:
        'HAR 1.2, for browsers and other tools. API keys are masked. Requests are in the sequence in which they began.',
      responses: { 200: Archive },
      errors: [404],
    }),
    query(ExportQuery),
    async (c) => {
      const { account, link, after } = c.req.valid('query')
      const filter = {
        ...(await accountFilter(store.db, account)),
        ...(await linkFilter(store.db, link)),
        ...omitUndefined({ after }),
      }
      return download(c, {
        name: 'paylink-sandbox.har',
        type: 'application/json; charset=utf-8',
        text: harText(store, { filter, version }),
      })
    },
  )
