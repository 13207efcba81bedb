import type { Document, SchemaObject } from '../platform/openapi/document.ts'

/** The component that a schema refers to, or the schema itself. */
export function resolveRef(document: Document, schema: SchemaObject): SchemaObject {
  const name = componentName(schema)
  return name === undefined ? schema : document.components.schemas[name]!
}

/** The name of the component that a schema refers to. */
export const componentName = ({ $ref }: SchemaObject): string | undefined =>
  $ref?.replace('#/components/schemas/', '')

/** A value that matches a schema: its first example, or a minimal value. */
export function sampleValue(schema: SchemaObject): unknown {
  if (schema.examples) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  if (schema.type === 'object') {
    const required = (schema.required ?? []).map((name) => [
      name,
      sampleValue(schema.properties?.[name] ?? {}),
    ])
    return Object.fromEntries(required)
  }
  return schema.type === 'integer' || schema.type === 'number' ? 1 : ''
}
