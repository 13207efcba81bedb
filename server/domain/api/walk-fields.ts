import { isRecord } from '../text/is-object.ts'

/** A field of a body. */
export interface BodyField {
  readonly name: string
  /** Like `recipients.*.share`. */
  readonly path: string
  /** Like `recipients[0].share`. */
  readonly place: string
  readonly value: unknown
}

/**
 * The fields of a body, also those of the objects in its lists, as far as the operation has fields there: below
 * `recipients`, but not below a field that it does not know.
 */
export function* walkFields(
  body: object,
  paths: ReadonlySet<string>,
  pathPrefix = '',
  placePrefix = '',
): Generator<BodyField> {
  for (const [name, value] of Object.entries(body)) {
    const [path, place] = [pathPrefix + name, placePrefix + name]
    yield { name, path, place, value }
    if (!Array.isArray(value) || namesBelow(path, paths).length === 0) continue
    for (const [index, entry] of value.entries()) {
      if (isRecord(entry)) yield* walkFields(entry, paths, `${path}.*.`, `${place}[${index}].`)
    }
  }
}

/** The names of the fields of the objects in a list. */
const namesBelow = (path: string, paths: ReadonlySet<string>): string[] => siblings(`${path}.*.`, paths)

/** The names of the fields with a prefix, such as `recipients.*.`. */
export const siblings = (prefix: string, paths: ReadonlySet<string>): string[] =>
  [...paths].flatMap((path) => {
    const name = path.slice(prefix.length)
    return path.startsWith(prefix) && !name.includes('.') ? [name] : []
  })
