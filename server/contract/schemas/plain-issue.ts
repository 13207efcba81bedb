import type { z } from 'zod'
import { hidePasswords } from '../../domain/network/credentials.ts'
import { isObject } from '../../domain/text/is-object.ts'
import { truncate } from '../../domain/text/truncate.ts'
import { visibleValue } from '../../domain/text/visible.ts'

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
    case 'invalid_type':
      return `should be ${typeName(issue.expected)}${missing(issue)}`
    case 'invalid_value':
      return `should be ${issue.values.map(String).join(' or ')}${missing(issue)}`
    case 'invalid_union':
      return describeUnion(issue)
    case 'too_small':
      return `should ${describeBound(issue.origin, 'at least', Number(issue.minimum))}`
    case 'too_big':
      return `should ${describeBound(issue.origin, 'at most', Number(issue.maximum))}`
    default:
      return 'is not valid'
  }
}

const typeName = (expected: string): string => TYPE_NAMES[expected] ?? expected

const missing = ({ input }: z.core.$ZodRawIssue): string => (input === undefined ? ', and is missing' : '')

/** Lists the types of a union. If the value has one of these types, says instead what is wrong with it. */
function describeUnion(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const first = issue.errors.flatMap(([error]) => error ?? [])
  const other = first.filter(({ code, path }) => code !== 'invalid_type' || path.length > 0)
  if (first.length === 0 || other.length > 1) return 'is not valid'
  if (other[0]) return other[0].message
  const names = first.flatMap((error) => (error.code === 'invalid_type' ? typeName(error.expected) : []))
  return `should be ${[...new Set(names)].join(' or ')}${missing(issue)}`
}

function describeBound(origin: string, which: string, count: number): string {
  if (origin === 'string') return `have ${which} ${count} characters`
  return origin === 'array' ? `have ${which} ${count} entries` : `be ${which} ${count}`
}

/**
 * Makes `parse` describe issues in plain words. Messages that a field defines itself are kept. No message names the value: see
 * `explainWithValue`.
 */
export const plainMessages: z.core.ParseContext<z.core.$ZodIssue> = { error: describeIssue }

/** What is wrong with the field at a path. The message continues a sentence that begins with the field. */
export interface ExplainedIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The maximum number of errors that are reported at once. */
export const MAX_ERRORS = 20

const MAX_SHOWN = 100

const SECRET = /key|token|password|secret/i

/** Says which value a field has, and what is wrong with it: `is "x". It should be a number`. */
export function explainWithValue({ path, message }: ExplainedIssue, input: unknown): string {
  const value = shownValue(path, input)
  return value === undefined ? message : `is ${value}. It ${message}`
}

/** The value of a field, for an error message. `undefined` if it is missing, is an object or a list, or may be a secret. */
function shownValue(path: readonly PropertyKey[], input: unknown): string | undefined {
  if (SECRET.test(path.join('.'))) return undefined
  const value = path.reduce<unknown>(
    (inner, key) => (isObject(inner) ? Reflect.get(inner, key) : undefined),
    input,
  )
  if (typeof value === 'string') return `"${visibleValue(truncate(hidePasswords(value), MAX_SHOWN))}"`
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? String(value) : undefined
}
