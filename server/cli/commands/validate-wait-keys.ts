import { didYouMeanSentence } from '../../domain/text/closest-match.ts'
import { z } from 'zod'
import { eventViewSchemas } from '../../contract/schemas/event.ts'
import type { EventType } from '../../domain/events/event.ts'
import { UsageError } from '../../domain/text/usage-error.ts'

/** Rejects a value that this key can never have, because the wait could only time out. */
export function validateWords(type: EventType, match: object): void {
  accept(type, eventViewSchemas()[type], [], match)
}

function accept(type: EventType, schema: unknown, path: readonly string[], value: unknown): void {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    if (value !== null) accept(type, schema.unwrap(), path, value)
  } else if (schema instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      // The sandbox reports unknown keys, together with the known ones.
      if (Object.hasOwn(schema.shape, key)) accept(type, schema.shape[key], [...path, key], inner)
    }
  } else if (schema instanceof z.ZodEnum && !schema.safeParse(value).success) {
    const words = schema.options.map(String)
    const shownValue = typeof value === 'string' ? value : JSON.stringify(value)
    throw new UsageError(
      `No event of type ${type} has ${path.join('.')}=${shownValue}.${didYouMeanSentence(shownValue, words)} It must be one of ${words.join(', ')}.`,
    )
  }
}
