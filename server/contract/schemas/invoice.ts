import { z } from 'zod'
import type { InvoiceView } from '../views.ts'
import { BillingSchema } from './account-fields.ts'
import { euros, instant, schemaFor } from './fields.ts'

export const InvoiceSchema = schemaFor<InvoiceView>()(
  BillingSchema.omit({ reverseCharge: true })
    .extend({
      sfId: z.string(),
      accountId: z.string(),
      invoiceId: z.string().meta({ description: '`YYYYMM-sf-` and ten characters.' }),
      invoiceDate: z.string().meta({ description: '`YYYY-MM-DD`, the first of the month after.' }),
      serviceMonth: z.string().meta({ description: '`YYYY-MM`.' }),
      serviceMonthText: z.string().meta({ description: 'As the service writes it, like `June 2026`.' }),
      platformFee: euros,
      pspFee: euros,
      vat: euros,
      createdAt: instant,
    })
    .meta({ id: 'Invoice', description: "The platform's fees of one month, in euros." }),
)
