/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import type { SchemaObject } from '../platform/openapi/document.ts'
import { componentName } from './sample.ts'
import { InlineText } from './text.tsx'

interface Field {
  readonly name: string
  readonly schema: SchemaObject
  readonly isRequired: boolean
}

interface Props {
  readonly label: string
  /** Whether the object is a request. In a request, required fields are marked; in a response, fields that may be missing. */
  readonly isSent: boolean
}

/** The fields of an object, including those of nested objects that are not components. */
export const FieldTable = ({ schema, ...props }: Props & { readonly schema: SchemaObject }) => (
  <FieldRows {...props} fields={fieldsOf(schema)} />
)

export function FieldRows({ label, isSent, fields }: Props & { readonly fields: readonly Field[] }) {
  if (fields.length === 0) return null
  const rows = fields.map((field) => ({ ...field, limits: limitsOf(field.schema) }))
  const hasMeaning = rows.some(
    ({ schema, isRequired, limits }) => schema.description || limits !== '' || isRequired === isSent,
  )
  return (
    <table>
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          {hasMeaning && <th scope="col">Meaning</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, schema, isRequired, limits }) => (
          <tr>
            <th scope="row">
              <code translate="no">{name}</code>
            </th>
            <td>
              <TypeText schema={schema} />
            </td>
            {hasMeaning && (
              <td>
                {isSent && isRequired && <span class="required">Required. </span>}
                <InlineText text={schema.description ?? ''} />
                {limits !== '' && (
                  <span class="limits">
                    {' '}
                    <InlineText text={limits} />
                  </span>
                )}
                {!isSent && !isRequired && <span class="limits"> Optional.</span>}
                <AssumedParts schema={schema} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The parts of a field that the reference does not define, each with its open point. */
function AssumedParts({ schema }: { schema: SchemaObject }) {
  const points = assumedParts(schema)
  if (points.length === 0) return null
  return (
    <span class="limits">
      {' Assumed: '}
      {points.map(([point, parts], index) => (
        <>
          {index > 0 && ', '}
          <InlineText text={parts.join(' and ')} /> (<a href={`#point-${point}`}>{point}</a>)
        </>
      ))}
      .
    </span>
  )
}

/** For each open point, the parts of a field that it decides, including alternatives of the field. */
const assumedParts = ({
  'x-sandbox-assumed': assumed = {},
  anyOf = [],
}: SchemaObject): [point: string, parts: string[]][] => [
  ...Object.entries(assumed).map(([point, parts]): [string, string[]] => [
    point,
    parts.map((part) => PART_NAMES[part] ?? part),
  ]),
  ...anyOf.flatMap(({ enum: values = [], 'x-sandbox-assumed': inner = {} }) =>
    Object.keys(inner).map((point): [string, string[]] => [
      point,
      values.map((value) => `\`${textOf(value)}\``),
    ]),
  ),
]

const PART_NAMES: Readonly<Record<string, string>> = {
  const: 'the text',
  default: 'the default',
  description: 'the meaning',
  enum: 'the values',
  exclusiveMinimum: 'the minimum',
  field: 'the field',
  maximum: 'the maximum',
  maxItems: 'the maximum',
  minimum: 'the minimum',
  minItems: 'the minimum',
  required: 'that it is required',
  type: 'null',
}

/** One of several alternatives of a schema. */
export const Variant = ({ schema }: { schema: SchemaObject }) => (
  <FieldTable label={namesOf(schema.properties?.type)} isSent={false} schema={schema} />
)

/** The event types of an alternative. */
const namesOf = (
  type: { readonly const?: unknown; readonly enum?: readonly unknown[] } | undefined,
): string => (type?.enum ?? [type?.const]).join(', ')

function fieldsOf(schema: SchemaObject, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const name = prefix + key
    const item = typeof inner.items === 'object' ? inner.items : undefined
    return [
      { name, schema: inner, isRequired: schema.required?.includes(key) ?? false },
      ...fieldsOf(inner, `${name}.`),
      ...(item ? fieldsOf(item, `${name}[].`) : []),
    ]
  })
}

/**
 * The type of a value, with a link if the type is a component. The texts `true` and `false` are quoted if a boolean can also be
 * sent as text.
 */
export function TypeText({ schema, isQuoted = false }: { schema: SchemaObject; isQuoted?: boolean }) {
  const component = componentName(schema)
  if (component !== undefined) return <a href={`#schema-${component}`}>{component}</a>
  const several = schema.oneOf ?? schema.anyOf
  if (several)
    return (
      <Joined
        parts={several.map((one) => (
          <TypeText schema={one} isQuoted={several.some(({ type }) => type === 'boolean')} />
        ))}
      />
    )
  if (schema.allOf)
    return (
      <Joined
        parts={schema.allOf.map((one) => (
          <TypeText schema={one} />
        ))}
        by=" and "
      />
    )
  if (schema.const !== undefined) return <code translate="no">{JSON.stringify(schema.const)}</code>
  if (schema.enum)
    return (
      <Joined
        parts={schema.enum.map((value) => (
          <code translate="no">{isQuoted ? JSON.stringify(value) : String(value)}</code>
        ))}
      />
    )
  if (typeof schema.items === 'object') {
    return (
      <>
        list of <TypeText schema={schema.items} />
      </>
    )
  }
  if (typeof schema.additionalProperties === 'object') return <>object of any keys</>
  const names = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['anything'])
  return <>{names.join(' or ') + (schema.format === undefined ? '' : ` (${schema.format})`)}</>
}

const Joined = ({ parts, by = ' or ' }: { parts: readonly Child[]; by?: string }) => (
  <>{parts.flatMap((part, index) => (index === 0 ? [part] : [by, part]))}</>
)

/** The limits of a value, as sentences. */
function limitsOf(schema: SchemaObject): string {
  const limits = [
    schema.exclusiveMinimum === undefined ? '' : `More than ${schema.exclusiveMinimum}.`,
    schema.minimum === undefined ? '' : `At least ${schema.minimum}.`,
    schema.maximum === undefined ? '' : `At most ${schema.maximum}.`,
    schema.minItems === undefined ? '' : `At least ${schema.minItems}.`,
    schema.maxItems === undefined ? '' : `At most ${schema.maxItems}.`,
    schema.default === undefined ? '' : `Default: \`${textOf(schema.default)}\`.`,
    schema.examples === undefined
      ? ''
      : `For example ${schema.examples.map((one) => `\`${textOf(one)}\``).join(' or ')}.`,
  ].filter(Boolean)
  return limits.join(' ')
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
