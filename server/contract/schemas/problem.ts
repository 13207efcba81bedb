import { z } from 'zod'
import { readonlyList } from './fields.ts'

export const ProblemSchema = z
  .object({
    type: z
      .literal('about:blank')
      .meta({ description: 'Always `about:blank`: `status` and `title` describe the kind of error.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'What is wrong, and what to do.' }),
    errors: readonlyList(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'The errors in the query or the body, one per key.' }),
  })
  .meta({ id: 'Problem', description: 'An error, in the format of RFC 9457.' })
