/**
 * Why something failed, as a part of a sentence, on one line and without a period. Includes the causes, because the message of a
 * failed `fetch` does not contain the reason, and a failed connection to several addresses has no message.
 */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const first: unknown = cause instanceof AggregateError ? (cause.errors[0] ?? cause) : cause
  return textOf(first).replaceAll(/\s+/g, ' ').trim().replace(/\.+$/, '')
}

function textOf(error: unknown): string {
  if (error instanceof Error) return error.message || ('code' in error ? String(error.code) : error.name)
  try {
    return String(error)
  } catch {
    // For example, `String` throws for an object without a prototype.
    return 'it threw no error, but another value'
  }
}
