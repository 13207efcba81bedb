import { createHash } from 'node:crypto'

/** A hash of a definition without its descriptions. */
export function hashDefinition(definition: unknown): string {
  const text = JSON.stringify(definition, (key, value: unknown) =>
    key === 'description' ? undefined : value,
  )
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
