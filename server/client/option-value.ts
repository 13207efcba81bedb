/** Describes an invalid value in an error message. */
export function describeValue(value: unknown): string {
  if (value instanceof Promise) return 'a promise (did you forget await?)'
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'string' ? JSON.stringify(value) : String(value)
  }
  return Array.isArray(value) ? 'a list' : `an object with ${Object.keys(value).join(', ') || 'no fields'}`
}
