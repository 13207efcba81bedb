import { z } from 'zod'
import type { RefundView } from '../views.ts'
import { euros, instant, schemaFor } from './fields.ts'

export const RefundSchema = schemaFor<RefundView>()(
  z
    .object({
      payId: z.int(),
      linkId: z.int(),
      accountId: z.string(),
      amount: euros.meta({ description: 'In euros.' }),
      full: z.boolean().meta({ description: 'Whether everything is asked back.' }),
      state: z.enum(['pending', 'approved', 'rejected']),
      requestedAt: instant,
      decidedAt: instant.nullable(),
    })
    .meta({ id: 'Refund', description: 'The one request to give a payment back.' }),
)
