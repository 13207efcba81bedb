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
      full: z.boolean().meta({ description: 'Whether the request is for the whole payment.' }),
      state: z.enum(['pending', 'approved', 'rejected']),
      requestedAt: instant,
      decidedAt: instant.nullable(),
    })
    .meta({ id: 'Refund', description: 'A refund request. A link has at most one.' }),
)
