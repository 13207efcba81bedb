import { z } from 'zod'

/** Text that is JSON and matches a schema. */
export const json = (schema: z.ZodType) =>
  z
    .string()
    .transform((given, { addIssue }): unknown => {
      try {
        return JSON.parse(given)
      } catch {
        addIssue({ code: 'custom', message: 'should be JSON' })
        return z.NEVER
      }
    })
    .pipe(schema)

/**
 * The schema of a database row that stores a record: lists and objects as JSON, booleans as 1 and 0, with every field present.
 */
export const rowOf = <Row extends object>(record: Record<keyof Row & string, z.ZodType>) =>
  z.object(
    Object.fromEntries(Object.entries<z.ZodType>(record).map(([name, field]) => [name, column(field)])),
  )

function column(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodNullable) return column(field.unwrap() as z.ZodType).nullable()
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodReadonly)
    return column(field.unwrap() as z.ZodType)
  if (field instanceof z.ZodBoolean) return z.literal([0, 1]).transform((bit) => bit === 1)
  return field instanceof z.ZodArray || field instanceof z.ZodObject ? json(field) : field
}

/** Rows that consist of a name and a value. The name decides the schema of the value. */
export const valuesOf = (
  key: string,
  otherColumns: z.ZodRawShape,
  values: readonly (readonly [string, z.ZodType])[],
) =>
  z.discriminatedUnion(
    key,
    values.map(([name, value]) =>
      z.object({ [key]: z.literal(name), value, ...otherColumns }),
    ) as unknown as [z.ZodObject],
    { error: `should be ${values.map(([name]) => name).join(' or ')}` },
  )
