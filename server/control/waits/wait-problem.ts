import { z } from 'zod'
import { DeliverySchema } from '../../contract/schemas/delivery.ts'
import { EventSchema } from '../../contract/schemas/event.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { ProblemSchema } from '../../contract/schemas/problem.ts'

/** The problem of a wait that timed out, or that found an event that should not happen. */
export const WaitProblemSchema = ProblemSchema.extend({
  matched: z.int().optional().meta({ description: 'How many events matched.' }),
  count: z.int().optional().meta({
    description:
      'How many events should have matched. With `found` or `deliveries`: how many of these exist in total.',
  }),
  looked: z.int().optional().meta({ description: 'How many events were compared.' }),
  found: readonlyList(EventSchema)
    .optional()
    .meta({ description: 'The first events that matched although none should.' }),
  deliveries: readonlyList(DeliverySchema)
    .optional()
    .meta({ description: 'The oldest deliveries that have not settled.' }),
  nearest: readonlyList(
    z.object({
      event: EventSchema,
      differences: readonlyList(
        z.object({ key: z.string(), wanted: z.unknown(), found: z.unknown().optional() }),
      ),
    }),
  )
    .optional()
    .meta({ description: 'The events closest to `match`, with their differences.' }),
}).meta({ id: 'WaitProblem', description: 'An error with what was recorded during the wait.' })
