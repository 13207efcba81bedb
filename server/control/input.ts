import { zValidator } from '@hono/zod-validator'
import { createMiddleware } from 'hono/factory'
import { closestMatch } from 'leven'
import { z } from 'zod'
import { Problem } from './problem.ts'

/** Reads a JSON body into what a route takes. No body is as good as an empty object. */
export const body = <Schema extends z.ZodType>(schema: Schema) =>
  zValidator('json', schema, (result) => {
    if (!result.success) throw invalid('body', result.error.issues, keysOf(schema))
  })

export const query = <Schema extends z.ZodType>(schema: Schema) =>
  zValidator('query', schema, (result) => {
    if (!result.success) throw invalid('query', result.error.issues, keysOf(schema))
  })

/** A body of another type would be passed over in silence, and what it asked for be lost. */
export const jsonOnly = createMiddleware(async (c, next) => {
  const hasBody =
    Number(c.req.header('content-length') ?? 0) > 0 || c.req.header('transfer-encoding') !== undefined
  const isJson = /^application\/([\w.-]+\+)?json\b/i.test(c.req.header('content-type') ?? '')
  if (hasBody && !isJson) {
    throw new Problem(415, 'Not JSON', 'Send the body as JSON, with Content-Type: application/json.')
  }
  await next()
})

function invalid(where: string, issues: readonly z.core.$ZodIssue[], keys: readonly string[]): Problem {
  const errors = issues.map((issue) => ({ path: issue.path.join('.'), message: explain(issue, keys) }))
  const first = errors[0]!
  const place = first.path === '' ? `The ${where}` : `${first.path} in the ${where}`
  return new Problem(400, 'Not valid', `${place}: ${first.message}`, { errors })
}

function explain(issue: z.core.$ZodIssue, keys: readonly string[]): string {
  if (issue.code !== 'unrecognized_keys') return issue.message
  const [unknown = ''] = issue.keys
  return `unknown key ${unknown}${issue.path.length === 0 ? hint(unknown, keys) : ''}`
}

const keysOf = (schema: z.ZodType): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : []

/** The nearest of some names, as a hint to append to a message. */
export function hint(name: string, names: readonly string[]): string {
  const nearest = closestMatch(name, names, { maxDistance: 5 })
  return nearest === undefined ? '' : `, did you mean ${nearest}?`
}

/** A page's size, bounded. */
export const limit = (otherwise: number) => z.coerce.number().int().min(1).max(1000).default(otherwise)

export const seq = z.coerce.number().int().min(0)
