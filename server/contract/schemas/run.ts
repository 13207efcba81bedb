import { z } from 'zod'
import { openPoints, type AssumptionName } from '../../domain/behaviors/open-points.ts'
import { operations } from '../../domain/api/operations.ts'
import { runOutcomeNames } from '../../domain/events/run-outcomes.ts'
import type { RunReport } from '../../domain/events/run-report.ts'
import { instant, readonlyList, schemaFor } from './fields.ts'

const count = z.int().meta({ description: 'How often. 0 is never.' })

export const RunReportSchema = schemaFor<RunReport>()(
  z
    .object({
      since: instant.meta({ description: "When the counting began: this start, by the machine's clock." }),
      openPoints: readonlyList(
        z.object({
          name: z.enum(Object.keys(openPoints) as AssumptionName[]),
          count,
          reference: z.string().meta({ description: 'What the reference says, or that it says nothing.' }),
          assumption: z.string().meta({ description: 'What the sandbox does, option by option.' }),
        }),
      ).meta({ description: 'Those that it rested on, to ask the operator about. The most first.' }),
      operations: readonlyList(z.object({ name: z.enum(operations), count })),
      refusals: readonlyList(
        z.object({
          operation: z.string(),
          code: z.string().meta({ description: 'The code of the error.' }),
          message: z
            .string()
            .meta({ description: 'Word for word. Where it has values in it, they are examples.' }),
          count,
        }),
      ).meta({ description: 'Those that the reference lists, operation by operation.' }),
      outcomes: readonlyList(z.object({ name: z.enum(runOutcomeNames), text: z.string(), count })).meta({
        description: 'What can become of a payment and its webhooks.',
      }),
    })
    .meta({
      id: 'Run',
      description: 'What was relied on and touched since the start. A reset takes nothing from it.',
    }),
)
