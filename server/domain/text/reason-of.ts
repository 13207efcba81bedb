/**
 * Why something failed, for the middle of a sentence: one line without a period. Also reads the causes, because the message of a
 * failed `fetch` says nothing more, and the message of a failed connection to several addresses is empty.
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
