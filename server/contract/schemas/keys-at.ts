import { z } from 'zod'

/** Lists the keys of the object at `path` in the schema. Empty if there is no object. */
export function listKeysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return listKeysAt(schema.unwrap(), path)
  }
  const [step, ...rest] = path
  if (schema instanceof z.ZodArray) return listKeysAt(schema.element, rest)
  if (!(schema instanceof z.ZodObject)) return []
  if (step === undefined) return Object.keys(schema.shape)
  const inner: unknown = Reflect.get(schema.shape, step)
  return inner instanceof z.ZodType ? listKeysAt(inner, rest) : []
}
