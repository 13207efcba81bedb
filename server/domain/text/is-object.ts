export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether a value is an object with keys and not a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !Array.isArray(value)

/** Whether a value is an object that consists only of its keys, unlike a list, a map, a date or a promise. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  Object.prototype.toString.call(value) === '[object Object]'
