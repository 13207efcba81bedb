import { Hono } from 'hono'
import { z } from 'zod'
import type { NodeEnv } from '../../http/node-env.ts'
import type { ControlContext } from '../context.ts'
import { download } from '../export/download.ts'
import { accountParam, linkParam } from '../../contract/schemas/request-fields.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { findLink } from '../requests/find-link.ts'
import { harText } from '../export/har-text.ts'
import { query, seq } from '../requests/input.ts'
import { describeRoute } from '../requests/describe-route.ts'

const Choice = z.strictObject({
  account: accountParam,
  link: linkParam,
  after: seq.optional().meta({ description: 'Only what happened after this `seq`.' }),
})

/** What is in it, the format says. */
const Archive = z.object({ log: z.looseObject({ version: z.literal('1.2') }) })

/** What was exchanged over HTTP, as an HTTP Archive for any tool that reads one. */
export const harRoute = ({ store, version }: ControlContext) =>
  new Hono<NodeEnv>().get(
    '/export.har',
    describeRoute({
      summary: 'Download what was exchanged as an HTTP Archive',
      description:
        'HAR 1.2, for browsers and other tools, with API keys masked. Requests stand in the order in which they began.',
      answers: { 200: Archive },
      problems: [404],
    }),
    query(Choice),
    async (c) => {
      const { account: accountId, link: ref, after } = c.req.valid('query')
      await assertAccountExists(store.db, accountId)
      const filter = {
        ...(accountId === undefined ? {} : { accountId }),
        ...(ref === undefined ? {} : { linkId: (await findLink(store.db, ref)).id }),
        ...(after === undefined ? {} : { after }),
      }
      return download(c, {
        name: 'paylink-sandbox.har',
        type: 'application/json; charset=utf-8',
        text: harText(store, { filter, version }),
      })
    },
  )
