/** Why a secret cannot be sent in a header, in words that do not contain the secret. `undefined` if it can be sent. */
export function whyInvalidHeaderValue(secret: string): string | undefined {
  const position = secret.search(/[^\x20-\x7e]/)
  if (position === -1) return undefined
  const code = secret.codePointAt(position)!.toString(16).toUpperCase().padStart(4, '0')
  return `has the character U+${code} at position ${position + 1}, which cannot be sent in a header. Use letters and digits without accents, and signs such as - and _`
}
