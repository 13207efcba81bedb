import { isObject } from '../text/is-object.ts'

/** Where an event is not what was asked for. */
export interface Difference {
  readonly key: string
  readonly wanted: unknown
  readonly found: unknown
}

/**
 * Compares an event with a pattern: every key of the pattern must be there and equal, nested ones too. The capitals of
 * `status` do not count, as the behavior `statusText` decides how an outcome is spelled.
 */
export function findDifferences(event: object, pattern: object, prefix = ''): Difference[] {
  return Object.entries(pattern).flatMap(([key, wanted]): Difference[] => {
    const found: unknown = Object.hasOwn(event, key) ? Reflect.get(event, key) : undefined
    if (isObject(wanted) && isObject(found) && arrayLength(wanted) === arrayLength(found)) {
      return findDifferences(found, wanted, `${prefix}${key}.`)
    }
    const isSame = Object.is(wanted, found) || (prefix + key === 'status' && isSameText(wanted, found))
    return isSame ? [] : [{ key: prefix + key, wanted, found }]
  })
}

const isSameText = (wanted: unknown, found: unknown): boolean =>
  typeof wanted === 'string' && typeof found === 'string' && wanted.toLowerCase() === found.toLowerCase()

/** Lists are equal in length too; of other objects, the pattern names what matters. */
const arrayLength = (value: object): number | undefined => (Array.isArray(value) ? value.length : undefined)
