import { Hono } from 'hono'
import { z } from 'zod'
import { deleteLink } from '../../service/operations/links/delete-link.ts'
import { closeDispute, openDispute } from '../../service/operations/links/dispute-link.ts'
import * as links from '../../store/repositories/links.ts'
import type { ControlContext } from '../context.ts'
import { accountParam } from '../../contract/schemas/request-fields.ts'
import { createLinkChange, linkChange } from '../requests/change-link.ts'
import { accountFilter } from '../requests/find-account.ts'
import { findLink, linkRef } from '../requests/find-link.ts'
import { limit, seq } from '../requests/query-params.ts'
import { query } from '../requests/validators.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { linkStatus, LinkSchema } from '../../contract/schemas/link.ts'
import { presentLinks } from '../present-links.ts'
import { describeRoute } from '../requests/describe-route.ts'

const ListQuery = z.strictObject({
  account: accountParam,
  status: linkStatus.optional().meta({ description: 'Only links with this status.' }),
  before: seq.optional().meta({ description: 'Only links with a smaller id, to read the next page.' }),
  limit: limit(100),
})

const CloseQuery = z.strictObject({
  outcome: z.enum(['won', 'lost']).default('lost').meta({
    description: 'Whether the customer won or lost. A dispute that the customer won blocks refunds.',
  }),
})

export function linkRoutes(context: ControlContext) {
  const { store, baseUrl } = context
  const changeLink = createLinkChange(context)

  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List links',
        description: 'Newest first.',
        responses: { 200: z.object({ links: readonlyList(LinkSchema) }) },
        errors: [404],
      }),
      query(ListQuery),
      async (c) => {
        const { account, limit: most, ...rest } = c.req.valid('query')
        const filter = { ...rest, ...(await accountFilter(store.db, account)) }
        const matches = await links.list(store.db, filter as links.LinkQuery, most)
        return c.json({ links: await presentLinks(store.db, matches, baseUrl(c)) })
      },
    )
    .get(
      '/:ref',
      describeRoute({
        summary: 'Get a link',
        description: 'With its payout, its targets and its state.',
        params: { ref: linkRef },
        responses: { 200: LinkSchema },
        errors: [404],
      }),
      async (c) => {
        const link = await findLink(store.db, c.req.param('ref'))
        return c.json((await presentLinks(store.db, [link], baseUrl(c)))[0]!)
      },
    )
    .delete(
      '/:ref',
      describeRoute({
        summary: 'Delete a link',
        description: 'A paid link cannot be deleted.',
        ...linkChange,
      }),
      async (c) => c.json(await changeLink(c, (work, link) => deleteLink(work, link, 'control'))),
    )
    .put(
      '/:ref/dispute',
      describeRoute({
        summary: 'Open a dispute',
        description:
          'The customer contests a payment. While the dispute is open, no refund can be requested or approved.',
        ...linkChange,
      }),
      async (c) => c.json(await changeLink(c, openDispute)),
    )
    .delete(
      '/:ref/dispute',
      describeRoute({
        summary: 'Close a dispute',
        description: '`outcome` says whether the customer won or lost. A pending refund stays pending.',
        ...linkChange,
      }),
      query(CloseQuery),
      async (c) => {
        const { outcome } = c.req.valid('query')
        return c.json(await changeLink(c, (work, link) => closeDispute(work, link, outcome)))
      },
    )
}
