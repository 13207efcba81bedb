import { didYouMeanSentence } from '../../domain/text/closest-match.ts'
import { z } from 'zod'
import { eventViewSchemas } from '../../contract/schemas/event.ts'
import type { EventType } from '../../domain/events/event.ts'
import { UsageError } from '../../domain/text/usage-error.ts'

/** Rejects a key of a nested object without its path, and a value that the key can never have. */
export function validateMatch(type: EventType, match: object): void {
  const schema = eventViewSchemas()[type]
  for (const key of Object.keys(match)) rejectNestedKey(type, schema, key)
  rejectImpossibleValue(type, schema, [], match)
}

/** Rejects a key such as `amount` if the event has no such key, but has `link.amount`. */
function rejectNestedKey(type: EventType, schema: unknown, key: string): void {
  if (!(schema instanceof z.ZodObject) || key === 'type' || Object.hasOwn(schema.shape, key)) return
  const paths = Object.entries(schema.shape)
    .filter(([, inner]) => {
      const object = unwrap(inner)
      return object instanceof z.ZodObject && Object.hasOwn(object.shape, key)
    })
    .map(([outer]) => `${outer}.${key}`)
  if (paths.length === 0) return
  throw new UsageError(`No event of type ${type} has a key ${key}. Did you mean ${paths.join(' or ')}?`)
}

const unwrap = (schema: unknown): unknown =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema

function rejectImpossibleValue(
  type: EventType,
  schema: unknown,
  path: readonly string[],
  value: unknown,
): void {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    if (value !== null) rejectImpossibleValue(type, schema.unwrap(), path, value)
  } else if (schema instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      // The sandbox rejects unknown keys, and lists the known ones.
      if (Object.hasOwn(schema.shape, key))
        rejectImpossibleValue(type, schema.shape[key], [...path, key], inner)
    }
  } else if (schema instanceof z.ZodEnum && !schema.safeParse(value).success) {
    const words = schema.options.map(String)
    const shownValue = typeof value === 'string' ? value : JSON.stringify(value)
    throw new UsageError(
      `No event of type ${type} has ${path.join('.')}=${shownValue}.${didYouMeanSentence(shownValue, words)} It must be one of ${words.join(', ')}.`,
    )
  }
}
