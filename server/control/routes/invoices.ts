import { Hono } from 'hono'
import { z } from 'zod'
import * as invoices from '../../store/repositories/invoices.ts'
import type { ControlContext } from '../context.ts'
import { accountParam } from '../../contract/schemas/request-fields.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { InvoiceSchema } from '../../contract/schemas/invoice.ts'
import { presentInvoice } from '../../contract/views.ts'
import { describeRoute } from '../requests/describe-route.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { query } from '../requests/validators.ts'

const ListQuery = z.strictObject({ account: accountParam })

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
      const { account } = c.req.valid('query')
      await assertAccountExists(store.db, account)
      const found = await invoices.list(store.db, account)
      return c.json({ invoices: found.map(presentInvoice) })
    },
  )
