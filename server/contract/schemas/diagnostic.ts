import { z } from 'zod'
import { diagnosticCodes, severities } from '../../domain/diagnostics/diagnostic.ts'
import { recordedFields } from './fields.ts'

export const DiagnosticSchema = z
  .strictObject({
    type: z.literal('diagnostic.found'),
    ...recordedFields,
    code: z.enum(diagnosticCodes),
    severity: z.enum(severities),
    title: z.string(),
    seen: z.string().meta({ description: 'What was there.' }),
    expected: z.string().meta({ description: 'What should have been there.' }),
    fix: z.string().meta({ description: 'What to do.' }),
    of: z.int().meta({ description: 'The `seq` of the event that it is about.' }),
  })
  .meta({ id: 'Diagnostic', description: 'A finding about what an integrator sent or answered.' })
