import { z } from 'zod'
import { withDescription } from './describe-route.ts'
import { zValidator } from '@hono/zod-validator'
import { MAX_JSON_KEYS, measureJson, MAX_JSON_DEPTH } from '../../domain/http/json-depth.ts'
import { createMiddleware } from 'hono/factory'
import type { NodeEnv } from '../../http/node-env.ts'
import { Problem } from './problem.ts'
import type { Context } from 'hono'
import { readBody, MIB } from '../../http/read-body.ts'
import { MAX_ERRORS, plainIssue } from '../../contract/schemas/plain-issue.ts'
import { didYouMean } from '../../domain/text/closest-match.ts'
import { listKeysAt } from '../../contract/schemas/keys-at.ts'

/** Reads a JSON body into what a route takes. No body is as good as an empty object. */
export const body = <Schema extends z.ZodType>(schema: Schema) =>
  withDescription(
    zValidator('json', schema, (result) => {
      if (!result.success) throw invalid('body', result.error.issues, schema)
    }),
    { body: schema },
  )

export const query = <Schema extends z.ZodObject>(schema: Schema) =>
  withDescription(
    zValidator('query', schema, (result) => {
      if (!result.success) throw invalid('query', result.error.issues, schema)
    }),
    { query: schema },
  )

/**
 * Reads a body, bounded, before any route looks at it. One of another type would be passed over in silence,
 * and what it asked for be lost. No body is as good as an empty object.
 */
export const requireJson = (mebibytes: number, maxKeys = MAX_JSON_KEYS) =>
  createMiddleware<NodeEnv>(async (c, next) => {
    const hasBody = c.req.method !== 'GET' && c.req.method !== 'HEAD'
    // A route that takes more has read it before.
    if (hasBody && c.req.bodyCache.text === undefined) {
      const text = await readText(c, mebibytes)
      if (text !== '' && !JSON_TYPE.test(c.req.header('content-type') ?? '')) {
        throw new Problem(415, 'Not JSON', 'Send the body as JSON, with Content-Type: application/json.')
      }
      const { depth, keys } = measureJson(text)
      if (depth > MAX_JSON_DEPTH) {
        throw new Problem(400, 'Too deep', `The body should be nested at most ${MAX_JSON_DEPTH} levels deep.`)
      }
      if (keys > maxKeys) {
        throw new Problem(
          400,
          'Too many keys',
          `The body has ${keys} keys. It should have at most ${maxKeys}.`,
        )
      }
      // Where the validator looks first.
      Object.assign(c.req.bodyCache, { text: Promise.resolve(text === '' ? '{}' : text) })
    }
    await next()
  })

async function readText(c: Context<NodeEnv>, mebibytes: number): Promise<string> {
  const { bytes, tooLarge } = await readBody(c, mebibytes * MIB)
  if (tooLarge) throw new Problem(413, 'Too large', `The body should be at most ${mebibytes} MiB.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem(400, 'Not UTF-8', 'The body should be JSON, in UTF-8.')
  }
}

/** As Hono's validator has it, which reads nothing else. */
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i

function invalid(where: string, issues: readonly z.core.$ZodIssue[], schema: z.ZodType): Problem {
  const errors = issues
    .slice(0, MAX_ERRORS)
    .map((issue) => ({ path: issue.path.join('.'), message: explainIssue(issue, schema) }))
  const first = errors[0]!
  const place = first.path === '' ? `The ${where}` : `${first.path} in the ${where}`
  return new Problem(400, 'Not valid', `${place}: ${first.message}`, { errors })
}

/** What is wrong, in words. An unknown key is told with the nearest that there is. */
export function explainIssue(issue: z.core.$ZodIssue, schema: z.ZodType): string {
  if (issue.code !== 'unrecognized_keys') return plainIssue(issue)
  const [unknown = ''] = issue.keys
  return `unknown key ${unknown}${didYouMean(unknown, listKeysAt(schema, issue.path))}`
}

/** A page's size, bounded. */
export const limit = (otherwise: number) =>
  z.coerce
    .number({ error: 'should be a whole number from 1 to 1000' })
    .int()
    .min(1)
    .max(1000)
    .default(otherwise)
    .meta({ description: 'How many at most.' })

export const seq = z.coerce.number({ error: 'should be a whole number' }).int().min(0)
