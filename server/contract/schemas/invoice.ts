import { z } from 'zod'
import type { InvoiceView } from '../views.ts'
import { BillingSchema } from './account-fields.ts'
import { euros, instant, schemaFor } from './fields.ts'

export const InvoiceSchema = schemaFor<InvoiceView>()(
  BillingSchema.omit({ reverseCharge: true })
    .extend({
      sfId: z.string(),
      accountId: z.string(),
      invoiceId: z
        .string()
        .meta({ description: 'The number of the invoice: `YYYYMM-sf-` and ten characters.' }),
      invoiceDate: z
        .string()
        .meta({ description: 'The first day of the month after `serviceMonth`, as `YYYY-MM-DD`.' }),
      serviceMonth: z.string().meta({ description: 'The month that the fees are for, as `YYYY-MM`.' }),
      serviceMonthText: z
        .string()
        .meta({ description: 'The month in the format of the service, like `June 2026`.' }),
      platformFee: euros,
      pspFee: euros,
      vat: euros,
      createdAt: instant,
    })
    .meta({ id: 'Invoice', description: "A tax invoice: the platform's fees for one month, in euros." }),
)
