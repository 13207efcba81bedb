import type { z } from 'zod'
import { didYouMean } from '../../domain/text/closest-match.ts'
import { listKeysAt } from '../schemas/keys-at.ts'
import { MAX_ERRORS, type ExplainedIssue } from '../schemas/plain-issue.ts'

/**
 * Explains mistakes in words. For an unknown key or option, suggests the most similar one. If there are too many mistakes, the
 * last entry says so.
 */
export function explainIssues(
  schema: z.ZodType,
  issues: readonly z.core.$ZodIssue[],
  seed: unknown,
): ExplainedIssue[] {
  const limit = MAX_ERRORS + 1
  return issues
    .slice(0, limit)
    .flatMap((issue): ExplainedIssue[] =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, limit).map((key) => ({
            path: [...issue.path, key],
            message: `unknown key${didYouMean(key, listKeysAt(schema, issue.path))}`,
          }))
        : [{ path: issue.path, message: `${issue.message}${optionHint(issue, seed)}` }],
    )
    .slice(0, limit)
}

function optionHint(issue: z.core.$ZodIssue, seed: unknown): string {
  if (issue.code !== 'invalid_value') return ''
  const value = getValueAt(seed, issue.path)
  return typeof value === 'string' ? didYouMean(value, issue.values.map(String)) : ''
}

const getValueAt = (seed: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    seed,
  )

/** A path in JavaScript notation: `accounts[0].billing.city`. */
export const formatPath = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '')
