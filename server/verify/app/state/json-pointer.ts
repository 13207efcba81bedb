/** Returns the value at a JSON pointer (RFC 6901), or `undefined` if there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1)
  return steps
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      document,
    )
}

/** A JSON pointer is empty (the whole document), or has a slash before every step. */
export const isJsonPointer = (text: string): boolean => /^(\/([^~]|~[01])*)?$/s.test(text)
