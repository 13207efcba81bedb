import { createHash } from 'node:crypto'
import { createSecretFinder } from '../../domain/secrets/secret-finder.ts'

export interface Pseudonyms {
  /** Replaces every secret, in any of the encodings. */
  text(plain: string): string
  /** Whether the text contains a secret. */
  isIn(plain: string): boolean
}

/** Replaces secrets by names that stay the same in every run: `<key-1a2b3c4d>`. */
export function createPseudonyms(
  secrets: readonly { readonly kind: string; readonly secret: string | undefined }[],
): Pseudonyms {
  const names = new Map<string, string>()
  for (const { kind, secret } of secrets) {
    if (secret)
      names.set(secret, `<${kind}-${createHash('sha256').update(secret).digest('hex').slice(0, 8)}>`)
  }
  const finder = createSecretFinder([...names.keys()])
  return { text: (plain) => finder.replace(plain, (secret) => names.get(secret)!), isIn: finder.isIn }
}
