export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether a value is an object with keys, and not a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !Array.isArray(value)
