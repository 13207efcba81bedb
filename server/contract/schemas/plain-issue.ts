import type { z } from 'zod'

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
}

/** Describes an issue in plain words. */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const isMissing = issue.input === undefined
      return `should be ${TYPE_NAMES[issue.expected] ?? issue.expected}${isMissing ? ', and is missing' : ''}`
    }
    case 'invalid_value':
      return `should be ${issue.values.map(String).join(' or ')}`
    case 'too_small':
      return `should ${describeBound(issue.origin, 'at least', Number(issue.minimum))}`
    case 'too_big':
      return `should ${describeBound(issue.origin, 'at most', Number(issue.maximum))}`
    default:
      return 'is not valid'
  }
}

function describeBound(origin: string, which: string, count: number): string {
  if (origin === 'string') return `have ${which} ${count} characters`
  return origin === 'array' ? `have ${which} ${count} entries` : `be ${which} ${count}`
}

/** Makes `parse` describe issues in plain words, unless the field has a message of its own. */
export const plainMessages: z.core.ParseContext<z.core.$ZodIssue> = { error: describeIssue }

/** The maximum number of errors that are reported at once. */
export const MAX_ERRORS = 20
