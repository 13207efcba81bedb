/** What was given in the place of something else, for a message. */
export function describeValue(value: unknown): string {
  if (value instanceof Promise) return 'a promise (did you forget await?)'
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'string' ? JSON.stringify(value) : String(value)
  }
  return Array.isArray(value)
    ? 'a list'
    : `an object with ${Object.keys(value).join(', ') || 'nothing in it'}`
}

/** An object as options are: no list, no promise, no date. */
export const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Promise) &&
  !(value instanceof Date)
