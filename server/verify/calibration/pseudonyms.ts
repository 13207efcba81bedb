import { createHash } from 'node:crypto'
import { createMask, type Mask } from '../../domain/secrets/mask.ts'

/** A secret, and what it is: `key` or `recipient`. */
export interface KnownSecret {
  readonly kind: string
  readonly secret: string | undefined
}

/**
 * A mask that replaces each secret with a name that is the same in every run: `<key-1a2b3c4d>`. Unknown secrets become
 * `<secret>`.
 */
export function createPseudonyms(secrets: readonly KnownSecret[]): Mask {
  const names = new Map<string, string>()
  for (const { kind, secret } of secrets) {
    if (secret)
      names.set(secret, `<${kind}-${createHash('sha256').update(secret).digest('hex').slice(0, 8)}>`)
  }
  return createMask([...names.keys()], { shown: (secret) => names.get(secret) ?? '<secret>' })
}
