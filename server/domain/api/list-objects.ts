import { isRecord } from '../text/is-object.ts'

/** An object of a body. */
interface BodyObject {
  readonly fields: Readonly<Record<string, unknown>>
  /** What the paths of its fields start with: nothing, or `recipients.*.`. */
  readonly pathPrefix: string
  /** What the places of its fields start with, for people: nothing, or `recipients[0].`. */
  readonly placePrefix: string
  /** The fields that the operation has in this object. */
  readonly knownNames: ReadonlySet<string>
}

/** The names of an operation's fields. The key is what their paths have in common. */
export type FieldNames = ReadonlyMap<string, ReadonlySet<string>>

/** Groups the paths of fields, such as `recipients.*.share`. */
export function groupNames(paths: readonly string[]): FieldNames {
  const names = new Map<string, Set<string>>()
  for (const path of paths) {
    const nameAt = path.lastIndexOf('.') + 1
    const prefix = path.slice(0, nameAt)
    names.set(prefix, (names.get(prefix) ?? new Set()).add(path.slice(nameAt)))
  }
  return names
}

const NO_NAMES: ReadonlySet<string> = new Set()

/** Lists the body itself, and the objects in those of its lists in which the operation has fields. */
export function listObjects(
  body: object,
  names: FieldNames,
  pathPrefix = '',
  placePrefix = '',
): BodyObject[] {
  const fields = body as Readonly<Record<string, unknown>>
  const objects = [{ fields, pathPrefix, placePrefix, knownNames: names.get(pathPrefix) ?? NO_NAMES }]
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (!Array.isArray(value)) continue
    const path = `${pathPrefix}${name}.*.`
    if (!names.has(path)) continue
    for (const [index, entry] of value.entries()) {
      if (!isRecord(entry)) continue
      for (const object of listObjects(entry, names, path, `${placePrefix}${name}[${index}].`))
        objects.push(object)
    }
  }
  return objects
}
