import { z } from 'zod'
import { readonlyList } from './fields.ts'

export const ProblemSchema = z
  .object({
    type: z.literal('about:blank').meta({ description: 'The status and the title say what it is.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'What is wrong, and what to do.' }),
    errors: readonlyList(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'What is wrong with query or body, key by key.' }),
  })
  .meta({ id: 'Problem', description: 'An error, as RFC 9457 describes.' })
