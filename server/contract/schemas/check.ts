import { z } from 'zod'
import { attemptErrorCodes } from '../../domain/webhooks/delivery.ts'
import type { Probe } from '../check.ts'
import type { CheckReport, CheckResult } from '../check.ts'
import { diagnosticCodes, severities } from '../../domain/diagnostics/diagnostic.ts'
import { ExchangeSchema } from './exchange.ts'
import { readonlyList, schemaFor } from './fields.ts'

const FindingSchema = z.object({
  code: z.enum(diagnosticCodes),
  severity: z.enum(severities),
  title: z.string(),
  seen: z.string(),
  expected: z.string(),
  fix: z.string(),
})

export const ProbeSchema = schemaFor<Probe>()(
  z
    .object({
      status: z.int().nullable().meta({ description: 'The HTTP status, null where no answer came.' }),
      error: z.string().nullable().meta({ description: 'Why no answer came.' }),
      errorCode: z
        .enum(attemptErrorCodes)
        .optional()
        .meta({ description: 'The kind of the error. Missing without an error.' }),
      ms: z.number().meta({ description: 'How long it took.' }),
      exchange: ExchangeSchema,
      findings: readonlyList(FindingSchema).meta({ description: 'What the answer says about its receiver.' }),
    })
    .meta({ id: 'Probe', description: 'One POST that belongs to no payment, and what came of it.' }),
)

const ResultSchema = schemaFor<CheckResult>()(
  z
    .object({
      name: z.string(),
      group: z.string(),
      title: z.string().meta({ description: 'What was sent.' }),
      why: z.string().meta({ description: 'Why it matters.' }),
      outcome: z.enum(['passed', 'failed', 'skipped']),
      ms: z.number().meta({ description: 'How long it took.' }),
      expected: z.string(),
      seen: z.string().meta({ description: 'What was there, or why it was skipped.' }),
      sameAs: z.string().nullable().meta({
        description:
          'The case that failed before for the same cause. Null where none did, or where that is not known.',
      }),
      exchange: ExchangeSchema.nullable().meta({ description: 'The answer that the verdict rests on.' }),
      repeat: z.string().nullable().meta({ description: 'A command that sends the same once more.' }),
    })
    .meta({ id: 'CheckResult', description: 'One thing that a receiver was tried with.' }),
)

export const CheckReportSchema = schemaFor<CheckReport>()(
  z
    .object({
      receiver: z.string(),
      judged: z.enum(['answers', 'orders', 'fulfilments']).meta({
        description:
          'What was judged: answers alone, whether orders were paid too, or even how often they were fulfilled.',
      }),
      passed: z.int(),
      failed: z.int(),
      skipped: z.int(),
      advice: z.string().nullable().meta({
        description: 'What is behind several failures, and what to do. Null where nothing is known to be.',
      }),
      results: readonlyList(ResultSchema),
    })
    .meta({ id: 'CheckReport', description: 'How a receiver stood the battery.' }),
)
