import type { z } from 'zod'
import { hint } from '../../domain/text/closest-match.ts'
import { MAX_ERRORS } from '../schemas/plain-issue.ts'
import { keysAt } from '../schemas/keys-at.ts'
import { plainIssue } from '../schemas/plain-issue.ts'

export interface Explained {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/**
 * What is wrong, in words. An unknown key or option is told with the nearest that there is. Where there is
 * more than is explained, one more tells.
 */
export function explainIssues(
  schema: z.ZodType,
  issues: readonly z.core.$ZodIssue[],
  given: unknown,
): Explained[] {
  const most = MAX_ERRORS + 1
  return issues
    .slice(0, most)
    .flatMap((issue): Explained[] =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, most).map((key) => ({
            path: [...issue.path, key],
            message: `unknown key${hint(key, keysAt(schema, issue.path))}`,
          }))
        : [{ path: issue.path, message: `${plainIssue(issue)}${optionHint(issue, given)}` }],
    )
    .slice(0, most)
}

function optionHint(issue: z.core.$ZodIssue, given: unknown): string {
  if (issue.code !== 'invalid_value') return ''
  const value = valueAt(given, issue.path)
  return typeof value === 'string' ? hint(value, issue.values.map(String)) : ''
}

const valueAt = (given: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    given,
  )

/** A place as JavaScript names it: `accounts[0].billing.city`. */
export const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '')
