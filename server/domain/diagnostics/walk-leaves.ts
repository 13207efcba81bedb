import { isObject } from '../text/is-object.ts'

/** A value in a body that is not an object or a list. */
export interface Leaf {
  /** Such as `recipients.*.share`. */
  readonly path: string
  /** Such as `recipients[0].share`. */
  readonly place: string
  readonly value: unknown
}

/** How many values are visited, including objects and lists. */
const MAX_VALUES = 5_000

/** Visits the leaves of a body, from first to last. */
export function visitLeaves(body: object, visit: (leaf: Leaf) => void): void {
  let left = MAX_VALUES

  function visitHolder(holder: object, pathPrefix: string, placePrefix: string): void {
    const isList = Array.isArray(holder)
    for (const name of Object.keys(holder)) {
      if (left-- <= 0) return
      const value = (holder as Readonly<Record<string, unknown>>)[name]
      const path = pathPrefix + (isList ? '*' : name)
      const place = isList ? `${placePrefix}[${name}]` : placePrefix === '' ? name : `${placePrefix}.${name}`
      if (isObject(value)) visitHolder(value, `${path}.`, place)
      else visit({ path, place, value })
    }
  }
  visitHolder(body, '', '')
}
