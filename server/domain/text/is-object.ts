export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether a value is an object with keys, not a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !Array.isArray(value)
