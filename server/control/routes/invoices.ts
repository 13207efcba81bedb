import { Hono } from 'hono'
import { z } from 'zod'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import * as invoices from '../../store/repositories/invoices.ts'
import type { ControlContext } from '../context.ts'
import { accountParam } from '../../contract/schemas/request-fields.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { InvoiceSchema } from '../../contract/schemas/invoice.ts'
import { presentInvoice } from '../../contract/views.ts'
import { describeRoute } from '../requests/describe-route.ts'
import { accountFilter } from '../requests/find-account.ts'
import { unknownId } from '../requests/problem.ts'
import { limit } from '../requests/query-params.ts'
import { query } from '../requests/validators.ts'

const ListQuery = z.strictObject({
  account: accountParam,
  after: z
    .string()
    .optional()
    .meta({ description: 'Only invoices after the one with this `sfId`, to read the next page.' }),
  limit: limit(100),
})

export const invoiceRoute = ({ store }: ControlContext) =>
  new Hono().get(
    '/',
    describeRoute({
      summary: 'List tax invoices',
      description: 'Newest month first.',
      responses: { 200: z.object({ invoices: readonlyList(InvoiceSchema) }) },
      errors: [404],
    }),
    query(ListQuery),
    async (c) => {
      const { account, after: sfId, limit: most } = c.req.valid('query')
      const after = sfId === undefined ? undefined : await invoices.find(store.db, sfId)
      if (sfId !== undefined && !after) throw unknownId('invoice', sfId, 'GET /invoices')
      const filter = { ...(await accountFilter(store.db, account)), ...omitUndefined({ after }) }
      const matches = await invoices.listPage(store.db, filter, most)
      return c.json({ invoices: matches.map(presentInvoice) })
    },
  )
