import { isRecord } from '../text/is-object.ts'

/** An object of a body. */
interface BodyObject {
  readonly fields: Readonly<Record<string, unknown>>
  /** What precedes the names of its fields in their paths: nothing, or `recipients.*.`. */
  readonly pathPrefix: string
  /** What precedes the names of its fields where they are named to people: nothing, or `recipients[0].`. */
  readonly placePrefix: string
  /** The names that the operation has in this object. */
  readonly knownNames: ReadonlySet<string>
}

/** The names of an operation's fields, by what precedes them in their paths. */
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

/** Lists a body, and then the objects in its lists if the operation has fields there. */
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
