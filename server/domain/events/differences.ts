import { isObject } from '../text/is-object.ts'

/** A difference between an event and the requested pattern. */
export interface Difference {
  readonly key: string
  readonly wanted: unknown
  readonly found: unknown
}

/**
 * Compares an event with a pattern. The event must have every key of the pattern with an equal value, even in nested objects.
 * `status` is compared without regard to case, which the behavior `statusText` changes.
 */
export function findDifferences(event: object, pattern: object, prefix = ''): Difference[] {
  return Object.entries(pattern).flatMap(([key, wanted]): Difference[] => {
    const actual: unknown = Object.hasOwn(event, key) ? Reflect.get(event, key) : undefined
    if (isObject(wanted) && isObject(actual) && arrayLength(wanted) === arrayLength(actual)) {
      return findDifferences(actual, wanted, `${prefix}${key}.`)
    }
    const isSame = Object.is(wanted, actual) || (prefix + key === 'status' && isSameText(wanted, actual))
    return isSame ? [] : [{ key: prefix + key, wanted, found: actual }]
  })
}

const isSameText = (expected: unknown, found: unknown): boolean =>
  typeof expected === 'string' && typeof found === 'string' && expected.toLowerCase() === found.toLowerCase()

/** The length of a list. Lists must have the same length, while objects may have more keys than the pattern. */
const arrayLength = (value: object): number | undefined => (Array.isArray(value) ? value.length : undefined)
