import { zValidator } from '@hono/zod-validator'
import type { z } from 'zod'
import { MAX_ERRORS, explainWithValue, plainMessages } from '../../contract/schemas/plain-issue.ts'
import { listKeysAt } from '../../contract/schemas/keys-at.ts'
import { didYouMean } from '../../domain/text/closest-match.ts'
import { withDescription } from './describe-route.ts'
import { invalidField, type Problem } from './problem.ts'

/** Validates the JSON body. Needs `requireJson`, which reads the body. A missing body counts as `{}`. */
export const body = <Schema extends z.ZodType>(schema: Schema) =>
  withDescription(
    zValidator('json', schema, (result) => {
      if (!result.success) throw invalidInput('body', schema, result.data)
    }),
    { body: schema },
  )

export const query = <Schema extends z.ZodObject>(schema: Schema) =>
  withDescription(
    zValidator('query', schema, (result) => {
      if (!result.success) throw invalidInput('query', schema, result.data)
    }),
    { query: schema },
  )

/** Validates the input again, with plain messages. `zValidator` has no option for such messages. */
function invalidInput(part: string, schema: z.ZodType, input: unknown): Problem {
  const { issues } = schema.safeParse(input, plainMessages).error!
  const errors = issues
    .slice(0, MAX_ERRORS)
    .map((issue) => ({ path: issue.path.join('.'), message: explainIssue(issue, schema) }))
  const { path, message } = errors[0]!
  const field = path === '' ? `The ${part}` : `${path} in the ${part}`
  return invalidField(field, explainWithValue({ path: issues[0]!.path, message }, input), errors)
}

/** Explains one issue of a validation. Suggests the most similar key for an unknown key. */
export function explainIssue(issue: z.core.$ZodIssue, schema: z.ZodType): string {
  if (issue.code !== 'unrecognized_keys') return issue.message
  const [unknown = ''] = issue.keys
  return `has the unknown key ${unknown}${didYouMean(unknown, listKeysAt(schema, issue.path))}`
}
