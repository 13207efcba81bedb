import { isRecord } from '../text/is-object.ts'

/** A field of a body. */
export interface BodyField {
  readonly name: string
  /** Like `recipients.*.share`. */
  readonly path: string
  /** Like `recipients[0].share`. */
  readonly place: string
  readonly value: unknown
  /** The names that the operation has in this object. */
  readonly knownNames: ReadonlySet<string>
}

/**
 * The fields of a body, including those of the objects in a list, if the operation has fields there. `paths` has all fields of
 * the operation.
 */
export function* walkFields(
  body: object,
  paths: ReadonlySet<string>,
  pathPrefix = '',
  placePrefix = '',
): Generator<BodyField> {
  const knownNames = namesBelow(pathPrefix, paths)
  for (const [name, value] of Object.entries(body)) {
    const [path, place] = [pathPrefix + name, placePrefix + name]
    yield { name, path, place, value, knownNames }
    if (!knownNames.has(name) || !Array.isArray(value) || namesBelow(`${path}.*.`, paths).size === 0) continue
    for (const [index, entry] of value.entries()) {
      if (isRecord(entry)) yield* walkFields(entry, paths, `${path}.*.`, `${place}[${index}].`)
    }
  }
}

function namesBelow(prefix: string, paths: ReadonlySet<string>): ReadonlySet<string> {
  const below = [...paths].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length))
  return new Set(below.filter((name) => !name.includes('.')))
}
