import { z } from 'zod'
import type { Schema } from './document.ts'

/** Turns zod schemas into those of one document, which keeps what has an `id` among its components. */
export interface Schemas {
  /** What is to be sent. */
  input(type: z.ZodType): Schema
  /** What is answered. It may grow, so further keys are not excluded. */
  output(type: z.ZodType): Schema
  readonly components: Readonly<Record<string, Schema>>
}

export function createSchemas(): Schemas {
  const components: Record<string, Schema> = {}

  /** Each is converted once: a problem alone is answered by every operation. */
  const kept = { input: new Map<z.ZodType, Schema>(), output: new Map<z.ZodType, Schema>() }

  function schemaOf(type: z.ZodType, io: 'input' | 'output'): Schema {
    const schema = kept[io].get(type) ?? convert(type, io)
    kept[io].set(type, schema)
    return schema
  }

  function convert(type: z.ZodType, io: 'input' | 'output'): Schema {
    // As a property even a type with an id is a reference, as it is anywhere else.
    const { properties, $defs } = z.toJSONSchema(z.object({ type }), {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => tidy(zodSchema, jsonSchema, io),
    })
    for (const [name, schema] of Object.entries($defs ?? {})) components[name] = located(schema)
    return located(properties!.type!)
  }

  return {
    input: (type) => schemaOf(type, 'input'),
    output: (type) => schemaOf(type, 'output'),
    components,
  }
}

/** Leaves out what says nothing to a reader, and puts examples back, which zod drops where a value is transformed. */
function tidy(type: z.core.$ZodType, schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.format !== undefined) delete schema.pattern
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.prefixItems) Object.assign(schema, lengthOf(schema.prefixItems))
  delete schema.readOnly
  delete schema.propertyNames
  delete schema.id
  const examples = z.globalRegistry.get(type)?.examples
  if (Array.isArray(examples)) schema.examples = examples
}

/** What zod leaves out of a tuple: that it ends, and for readers who know no `prefixItems`, what it is made of. */
function lengthOf(parts: readonly z.core.JSONSchema._JSONSchema[]): z.core.JSONSchema.BaseSchema {
  const kinds = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()]
  const [kind, ...others] = kinds as [z.core.JSONSchema.BaseSchema]
  return {
    items: others.length === 0 ? kind : { anyOf: [kind, ...others] },
    minItems: parts.length,
    maxItems: parts.length,
  }
}

/** Where zod writes its own definitions, the document has its components. */
const located = (schema: z.core.JSONSchema._JSONSchema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Schema
