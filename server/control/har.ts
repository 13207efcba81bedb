import { Hono } from 'hono'
import { z } from 'zod'
import type { NodeEnv } from '../http/env.ts'
import type { ControlContext } from './context.ts'
import { download } from './download.ts'
import { findAccount } from './find-account.ts'
import { findLink } from './find-link.ts'
import { harText } from './har-text.ts'
import { query, seq } from './input.ts'

const Choice = z.strictObject({
  account: z.string().optional(),
  link: z.string().optional(),
  after: seq.optional(),
})

/** What was exchanged over HTTP, as an HTTP Archive for any tool that reads one. */
export const harRoute = ({ store, version }: ControlContext) =>
  new Hono<NodeEnv>().get('/export.har', query(Choice), async (c) => {
    const { account, link, after } = c.req.valid('query')
    if (account !== undefined) await findAccount(store.db, account)
    const filter = {
      ...(account === undefined ? {} : { accountId: account }),
      ...(link === undefined ? {} : { linkId: (await findLink(store.db, link)).id }),
      ...(after === undefined ? {} : { after }),
    }
    return download(c, {
      name: 'paylink-sandbox.har',
      type: 'application/json; charset=utf-8',
      text: harText(store, { filter, version }),
    })
  })
