import { zValidator } from '@hono/zod-validator'
import type { z } from 'zod'
import { MAX_ERRORS, plainMessages } from '../../contract/schemas/plain-issue.ts'
import { listKeysAt } from '../../contract/schemas/keys-at.ts'
import { hidePasswords } from '../../domain/network/credentials.ts'
import { didYouMean } from '../../domain/text/closest-match.ts'
import { isObject } from '../../domain/text/is-object.ts'
import { truncate } from '../../domain/text/truncate.ts'
import { shown } from '../../domain/text/visible.ts'
import { withDescription } from './describe-route.ts'
import { invalidField, type Problem } from './problem.ts'

const MAX_SHOWN = 100

/** Validates the JSON body. `requireJson` has read it, and a missing body counts as `{}`. */
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

/** Validates the input once more for plain messages, because `zValidator` has no option for them. */
function invalidInput(part: string, schema: z.ZodType, input: unknown): Problem {
  const { issues } = schema.safeParse(input, plainMessages).error!
  const errors = issues
    .slice(0, MAX_ERRORS)
    .map((issue) => ({ path: issue.path.join('.'), message: explainIssue(issue, schema) }))
  const { path, message } = errors[0]!
  const field = path === '' ? `The ${part}` : `${path} in the ${part}`
  const value = shownValue(issues[0]!.path, input)
  // Some messages quote the value themselves, because they also appear without this sentence.
  const isSaid = value === undefined || (value.startsWith('"') && message.includes(value))
  return invalidField(field, isSaid ? message : `is ${value}. It ${message}`, errors)
}

const SECRET = /key|token|password|secret/i

/** The value of a field, for people. `undefined` if it is missing, an object or a list, or may be a secret. */
function shownValue(path: readonly PropertyKey[], input: unknown): string | undefined {
  if (SECRET.test(path.join('.'))) return undefined
  const value = path.reduce<unknown>(
    (inner, key) => (isObject(inner) ? Reflect.get(inner, key) : undefined),
    input,
  )
  if (typeof value === 'string') return `"${shown(truncate(hidePasswords(value), MAX_SHOWN))}"`
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? String(value) : undefined
}

/** Explains one issue of a validation. For an unknown key it suggests the closest one. */
export function explainIssue(issue: z.core.$ZodIssue, schema: z.ZodType): string {
  if (issue.code !== 'unrecognized_keys') return issue.message
  const [unknown = ''] = issue.keys
  return `has the unknown key ${unknown}${didYouMean(unknown, listKeysAt(schema, issue.path))}`
}
