import { createHash } from 'node:crypto'

/** The hash of a definition. Descriptions do not affect it. */
export function hashDefinition(definition: unknown): string {
  const text = JSON.stringify(definition, (key, value: unknown) =>
    key === 'description' ? undefined : value,
  )
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
