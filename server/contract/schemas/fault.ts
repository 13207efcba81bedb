import { z } from 'zod'
import { truncate } from '../../domain/text/truncate.ts'
import { faultPoints } from '../../domain/faults/fault.ts'
import type { FaultView } from '../views.ts'
import { instant, readonlyList, schemaFor } from './fields.ts'

export const faultPoint = z
  .enum(faultPoints, {
    error: ({ input }) => `should be api, webhook or redirect, not ${truncate(String(input), 40)}`,
  })
  .meta({ description: 'Where it strikes: calls, webhooks or redirects.' })

export const faultMark = z
  .strictObject({
    id: z.int().nullable().meta({ description: 'The fault, null for what was asked for by hand.' }),
    effect: z.string(),
  })
  .meta({ description: 'What a fault did to it.' })

export const FaultSchema = schemaFor<FaultView>()(
  z
    .object({
      id: z.int(),
      on: faultPoint,
      accountId: z.string().nullable().meta({ description: 'Whom it strikes, null for everybody.' }),
      operation: z.string().nullable().meta({ description: 'The calls it strikes, null for all of them.' }),
      target: z
        .string()
        .nullable()
        .meta({ description: 'How the targets begin that it strikes, null for all.' }),
      script: readonlyList(z.string()).meta({
        description: 'What goes wrong at one occasion after another.',
      }),
      times: z
        .union([z.int(), z.literal('always')])
        .meta({ description: 'How often the script is gone through.' }),
      probability: z.number(),
      seed: z.int(),
      matched: z.int().meta({ description: 'How many calls, webhooks or redirects it applied to.' }),
      triggered: z.int().meta({ description: 'How many of those it changed.' }),
      remaining: z
        .union([z.int(), z.literal('always')])
        .meta({ description: 'How many more it changes. `always` if there is no limit.' }),
      createdAt: instant,
    })
    .meta({ id: 'Fault', description: 'Something that was asked to go wrong.' }),
)
