import { isObject } from '../../../domain/text/is-object.ts'
import type { z } from 'zod'
import type { ErrorDetails } from '../../../domain/api/api-error.ts'
import { refusalOf } from '../refuse.ts'

/** Values that most fields refuse. */
const WRONG_VALUES: readonly unknown[] = [
  undefined,
  '',
  'x',
  '\ud800',
  true,
  0,
  0.001,
  1.5,
  1e12,
  [],
  {},
  '1,'.repeat(5000),
]

/**
 * Collects the errors of a body's schema, so that endpoints need not list them. In a complete body, it replaces each field with
 * one wrong value after another.
 */
export function schemaErrors(shape: z.ZodType, complete: object): ErrorDetails[] {
  const errors = listPaths(complete).flatMap((path) => {
    const right = valueAt(complete, path)
    const tooMany = Array.isArray(right) ? [Array.from({ length: 5000 }, () => right[0] as unknown)] : []
    return [...WRONG_VALUES, ...tooMany].flatMap((value) => {
      const error = refusalOf(shape, withValueAt(complete, path, value))
      return error === undefined ? [] : [error.details]
    })
  })
  return [...new Map(errors.map((error) => [error.message, error])).values()]
}

type Path = readonly string[]

const listPaths = (value: object): Path[] =>
  Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...(isObject(inner) ? listPaths(inner).map((path) => [key, ...path]) : []),
  ])

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), value)

function withValueAt(body: object, path: Path, value: unknown): object {
  const copy = structuredClone(body)
  Reflect.set(Object(valueAt(copy, path.slice(0, -1))), path.at(-1)!, value)
  return copy
}
