import type { UnitOfWork } from '../../store/store.ts'
import type { Caller } from '../operations/accounts/caller.ts'
import { z } from 'zod'
import type { ErrorDetails } from '../../domain/api/api-error.ts'
import type { AssumptionName } from '../../domain/behaviors/open-points.ts'
import type { FieldPaths } from '../../domain/diagnostics/call-facts.ts'
import { acceptsEmpty, parseBody } from './parse-body.ts'
import type { RawBody } from './raw-body.ts'
import { errorOf } from './refuse.ts'
import type { Success } from './envelope.ts'
import type { FieldTypes } from './coerce-body.ts'

export interface EndpointRequest {
  readonly work: UnitOfWork
  readonly caller: Caller
  /** The base URL of links in the response. */
  readonly baseUrl: string
}

interface EndpointDescription<Body extends z.ZodObject, Fields extends z.ZodRawShape> {
  readonly summary: string
  readonly description: string
  readonly body: Body
  /** `ResponseMsg` on success. */
  readonly message: string
  /** The open point that decides `message`, if the API reference does not show it. */
  readonly assumesMessage?: AssumptionName
  /** The fields of a response besides the envelope. */
  readonly resultFields: Fields
  /** The errors besides those of the body's schema. */
  readonly errors: readonly ErrorDetails[]
  /** The open points that its responses can depend on, besides those of every call. */
  readonly assumptions: readonly AssumptionName[]
}

/**
 * One operation of the v2 API. The OpenAPI document is built from these declarations, with examples from
 * `fixtures/contract/`.
 */
export interface Endpoint<
  Body extends z.ZodObject = z.ZodObject,
  Fields extends z.ZodRawShape = z.ZodRawShape,
> extends EndpointDescription<Body, Fields> {
  readonly fields: FieldPaths
  /** Whether an empty body stands for `{}`. */
  readonly acceptsEmptyBody: boolean
  answer(request: EndpointRequest, body: RawBody): Promise<Success>
}

interface EndpointDeclaration<
  Body extends z.ZodObject,
  Fields extends z.ZodRawShape,
> extends EndpointDescription<Body, Fields> {
  readonly fields: FieldTypes
  readonly answer: (
    request: EndpointRequest,
    body: z.output<Body>,
  ) => Promise<{ [Name in keyof Fields]: z.output<Fields[Name]> } & Pick<Success, 'link' | 'created'>>
}

/** Creates an endpoint from its description and its handler for a valid body. */
export function createEndpoint<Body extends z.ZodObject, Fields extends z.ZodRawShape>({
  fields: { numbers, booleans },
  answer,
  ...description
}: EndpointDeclaration<Body, Fields>): Endpoint<Body, Fields> {
  const { body: schema } = description
  const texts = textFields(schema, { numbers, booleans })
  // Booleans that are documented as text too need no conversion.
  const strictBooleans = booleans.filter((name) => errorOf(schema.shape[name]!, 'true') !== undefined)
  const paths = new Set(fieldPaths(schema))
  const required = new Set(fieldPaths(schema, isRequired))
  const typed = { paths, required, numbers, texts, booleans: strictBooleans, formBooleans: booleans }
  return {
    ...description,
    fields: {
      paths,
      texts: new Set(texts),
      numbers: new Set(numbers),
      booleans: new Set(strictBooleans),
    },
    acceptsEmptyBody: acceptsEmpty(schema),
    async answer(request, raw) {
      const body = parseBody(raw, schema, typed, request.caller.behaviors)
      return { message: description.message, ...(await answer(request, body)) }
    },
  }
}

const isRequired = (type: z.ZodType): boolean => errorOf(type, undefined) !== undefined

/** The paths of the fields, with those of the objects in lists. */
const fieldPaths = ({ shape }: z.ZodObject, isListed = (_type: z.ZodType) => true): string[] =>
  Object.entries(shape as Record<string, z.ZodType>).flatMap(([name, type]) => [
    ...(isListed(type) ? [name] : []),
    ...(type instanceof z.ZodArray && type.element instanceof z.ZodObject
      ? fieldPaths(type.element, isListed).map((path) => `${name}.*.${path}`)
      : []),
  ])

/** The names of the fields that contain neither numbers nor booleans, not even nested ones. */
const textFields = ({ shape }: z.ZodObject, { numbers, booleans }: FieldTypes): string[] =>
  Object.keys(shape).filter(
    (name) => ![...numbers, ...booleans].some((path) => path === name || path.startsWith(`${name}.`)),
  )
