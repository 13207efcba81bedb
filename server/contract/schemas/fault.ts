import { z } from 'zod'
import { faultPoints } from '../../domain/faults/fault.ts'
import type { FaultView } from '../views.ts'
import { instant, readonlyList, schemaFor } from './fields.ts'

export const faultPoint = z
  .enum(faultPoints, { error: 'should be api, webhook or redirect' })
  .meta({ description: 'What it applies to: calls, webhooks or redirects.' })

export const faultMark = z
  .strictObject({
    id: z
      .int()
      .nullable()
      .meta({ description: 'The id of the fault. Null if you requested the effect by hand.' }),
    effect: z.string(),
  })
  .meta({ id: 'FaultMark', description: 'The effect of a fault.' })

export const FaultSchema = schemaFor<FaultView>()(
  z
    .object({
      id: z.int(),
      on: faultPoint,
      accountId: z.string().nullable().meta({ description: 'The account that it applies to, null for all.' }),
      operation: z
        .string()
        .nullable()
        .meta({ description: 'The operation that it applies to, null for all.' }),
      target: z
        .string()
        .nullable()
        .meta({ description: 'The prefix of the targets that it applies to, null for all.' }),
      script: readonlyList(z.string()).meta({
        description: 'The effects, one per call, webhook or redirect.',
      }),
      times: z
        .union([z.int(), z.literal('always')])
        .meta({ description: 'How often the script runs. `always` if there is no limit.' }),
      probability: z.number(),
      seed: z.int(),
      matched: z.int().meta({ description: 'How many calls, webhooks or redirects it applied to.' }),
      triggered: z.int().meta({ description: 'How many of those it changed.' }),
      remaining: z
        .union([z.int(), z.literal('always')])
        .meta({ description: 'How many more it changes. `always` if there is no limit.' }),
      createdAt: instant,
    })
    .meta({ id: 'Fault', description: 'An injected failure.' }),
)
