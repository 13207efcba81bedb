import { z } from 'zod'
import type { SchemaObject } from './document.ts'

/** Converts zod schemas to the JSON Schemas of one document. A schema with an `id` becomes a component. */
export interface Schemas {
  /** The schema of a request. */
  input(type: z.ZodType): SchemaObject
  /** The schema of a response. It allows more keys, because later versions may add some. */
  output(type: z.ZodType): SchemaObject
  readonly components: Readonly<Record<string, SchemaObject>>
}

export function createSchemas(): Schemas {
  const components: Record<string, SchemaObject> = {}

  /** Cached, because most operations share schemas, such as the schema of a problem. */
  const cache = { input: new Map<z.ZodType, SchemaObject>(), output: new Map<z.ZodType, SchemaObject>() }

  function schemaOf(type: z.ZodType, io: 'input' | 'output'): SchemaObject {
    const schema = cache[io].get(type) ?? convert(type, io)
    cache[io].set(type, schema)
    return schema
  }

  function convert(type: z.ZodType, io: 'input' | 'output'): SchemaObject {
    // zod creates a reference to a schema with an id only if the schema is a property, so the schema is wrapped in an object.
    const { properties, $defs } = z.toJSONSchema(z.object({ type }), {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => cleanUp(zodSchema, jsonSchema, io),
    })
    for (const [name, schema] of Object.entries($defs ?? {})) addComponent(name, withComponentRefs(schema))
    return withComponentRefs(properties!.type!)
  }

  function addComponent(name: string, schema: SchemaObject): void {
    const earlier = components[name]
    if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(schema)) {
      throw new Error(`Two schemas have the id ${name}. A schema of requests and of answers needs two ids.`)
    }
    components[name] = schema
  }

  return {
    input: (type) => schemaOf(type, 'input'),
    output: (type) => schemaOf(type, 'output'),
    components,
  }
}

/** Removes what does not help a reader, and restores the examples and defaults that zod drops from transformed values. */
function cleanUp(type: z.core.$ZodType, schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  const meta = z.globalRegistry.get(type)
  // zod adds a long pattern to each format. A pattern is kept only if our code sets it, and then replaces the format.
  if (schema.format !== undefined && meta?.pattern === undefined) delete schema.pattern
  if (schema.type === 'number' && Number.isInteger(schema.const)) schema.type = 'integer'
  joinNull(schema)
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.prefixItems) Object.assign(schema, tupleItems(schema.prefixItems))
  delete schema.readOnly
  delete schema.propertyNames
  delete schema.id
  if (Array.isArray(meta?.examples)) schema.examples = meta.examples
  if (meta?.default !== undefined) schema.default = meta.default
}

/** Writes a nullable number or text as one schema, so that its limits are next to its type. */
function joinNull(schema: z.core.JSONSchema.BaseSchema): void {
  const [kind, other] = schema.anyOf ?? []
  if (schema.anyOf?.length !== 2 || !kind || !other || other.type !== 'null') return
  if (!['string', 'number', 'integer'].includes(String(kind.type)) || kind.enum || kind.const) return
  delete schema.anyOf
  Object.assign(schema, { ...kind, ...schema, type: [kind.type, 'null'] })
}

/** Adds the length that zod leaves out of a tuple, and `items` for tools that do not know `prefixItems`. */
function tupleItems(parts: readonly z.core.JSONSchema._JSONSchema[]): z.core.JSONSchema.BaseSchema {
  const kinds = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()]
  const [kind, ...others] = kinds as [z.core.JSONSchema.BaseSchema]
  return {
    items: others.length === 0 ? kind : { anyOf: [kind, ...others] },
    minItems: parts.length,
    maxItems: parts.length,
  }
}

/** Replaces references to zod's definitions with references to the components of the document. */
const withComponentRefs = (schema: z.core.JSONSchema._JSONSchema): SchemaObject =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as SchemaObject
