import { z } from 'zod'
import { operations } from '../../domain/api/operations.ts'
import { runOutcomeNames } from '../../domain/events/run-outcomes.ts'
import type { RunReport } from '../../domain/events/run-report.ts'
import { instant, openPoint, readonlyList, schemaFor } from './fields.ts'

const count = z.int().meta({ description: 'How often it happened. 0 means never.' })

export const RunReportSchema = schemaFor<RunReport>()(
  z
    .object({
      since: instant.meta({
        description: "The start of the sandbox, by the machine's clock. The counts begin then.",
      }),
      openPoints: readonlyList(
        z.object({
          name: openPoint,
          count,
          reference: z
            .string()
            .meta({ description: 'What the API reference says, or that it says nothing.' }),
          assumption: z.string().meta({ description: 'What the sandbox does, for each option.' }),
        }),
      ).meta({
        description:
          'The open points that the run depended on, most frequent first. Confirm them with the provider.',
      }),
      operations: readonlyList(z.object({ name: z.enum(operations), count })),
      documentedErrors: readonlyList(
        z.object({
          operation: z.string(),
          code: z.string().meta({ description: 'The code of the error.' }),
          message: z.string().meta({ description: 'The exact message. Values in it are examples.' }),
          count,
        }),
      ).meta({ description: 'The errors that the API reference lists, per operation.' }),
      outcomes: readonlyList(z.object({ name: z.enum(runOutcomeNames), text: z.string(), count })).meta({
        description: 'The possible outcomes of a payment and its webhooks.',
      }),
    })
    .meta({
      id: 'Run',
      description:
        'What the run has used and depended on since the start. A reset does not clear the counts.',
    }),
)
