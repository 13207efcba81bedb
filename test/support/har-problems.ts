import { Ajv, type AnySchemaObject } from 'ajv'
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' }
import { createRequire } from 'node:module'

const { har, ...parts } = createRequire(import.meta.url)('har-schema') as Record<string, AnySchemaObject>
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
ajv.addMetaSchema(draft6)
ajv.addSchema(Object.values(parts))
const validate = ajv.compile(har!)

/** The violations of the schema of HTTP Archive 1.2. */
export function harProblems(value: unknown): string[] {
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
