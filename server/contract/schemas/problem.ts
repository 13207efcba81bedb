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
    reason: z.string().optional().meta({ description: 'The beginning of `detail`: what is wrong.' }),
    remedy: z
      .object({
        route: z.string().meta({ examples: ['POST /deliveries/:id/replay'] }),
        param: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
        effect: z.string().meta({ examples: ['sends it again'] }),
      })
      .optional()
      .meta({ description: 'The end of `detail`: a route that helps, and what it does.' }),
    code: z
      .literal('tunnelToken')
      .optional()
      .meta({ description: 'Set if the token of the request opens only tunnels.' }),
  })
  .meta({ id: 'Problem', description: 'An error, in the format of RFC 9457.' })
