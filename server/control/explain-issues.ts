import type { z } from 'zod'
import { hint } from './input.ts'
import { keysAt } from './keys-at.ts'

export interface Explained {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** What is wrong, in words. An unknown key is told with the nearest that there is, however deep. */
export const explainIssues = (schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): Explained[] =>
  issues.flatMap((issue): Explained[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({
          path: [...issue.path, key],
          message: `unknown key${hint(key, keysAt(schema, issue.path))}`,
        }))
      : [{ path: issue.path, message: issue.message }],
  )

/** A place as JavaScript names it: `accounts[0].billing.city`. */
export const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '')
