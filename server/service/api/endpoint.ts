import type { UnitOfWork } from '../../store/store.ts'
import type { Caller } from '../operations/accounts/caller.ts'
import { z } from 'zod'
import type { ErrorDetails } from '../../domain/api/api-error.ts'
import { groupNames } from '../../domain/api/list-objects.ts'
import type { AssumptionName } from '../../domain/behaviors/open-points.ts'
import type { Success } from './envelope.ts'
import type { FieldPaths } from '../../domain/diagnostics/call-facts.ts'

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
  /** The open point that `message` depends on, if the API reference does not show the message. */
  readonly assumesMessage?: AssumptionName
  /** The fields of a response, apart from the envelope. */
  readonly resultFields: Fields
  /** The errors, apart from errors of the body's schema. */
  readonly errors: readonly ErrorDetails[]
  /** The names of the open points that the responses can depend on, in addition to those of every call. */
  readonly assumptions: readonly AssumptionName[]
}

/**
 * An operation of the v2 API. The OpenAPI document is generated from these declarations, with examples from `fixtures/contract/`.
 */
export interface Endpoint<
  Body extends z.ZodObject = z.ZodObject,
  Fields extends z.ZodRawShape = z.ZodRawShape,
> extends EndpointDescription<Body, Fields> {
  /** The fields of the body, from its schema and `fieldTypes`. */
  readonly fields: BodyFields
  /** Whether an empty body stands for `{}`, because no field is required. */
  readonly acceptsEmptyBody: boolean
  /** Runs the operation for a valid body. */
  answer(request: EndpointRequest, body: z.output<Body>): Promise<Result>
}

/** The fields of a body. */
export interface BodyFields extends FieldPaths {
  /** The paths of all fields, including the fields of objects in lists. */
  readonly paths: ReadonlySet<string>
  /** The booleans of a form. `booleans` does not contain fields that may also be text in JSON. */
  readonly formBooleans: ReadonlySet<string>
}

/** What an endpoint returns on success. The message of the response is `Endpoint.message`. */
type Result = Omit<Success, 'message'>

/** The fields of a body that are not text. `recipients.*.share` stands for the share of every recipient. */
interface FieldTypes {
  readonly numbers: readonly string[]
  readonly booleans: readonly string[]
  /** Booleans that the reference also shows as text. They are converted only in a form. */
  readonly booleansOrText?: readonly string[]
}

interface EndpointDefinition<
  Body extends z.ZodObject,
  Fields extends z.ZodRawShape,
> extends EndpointDescription<Body, Fields> {
  readonly fieldTypes: FieldTypes
  readonly answer: (
    request: EndpointRequest,
    body: z.output<Body>,
  ) => Promise<{ [Name in keyof Fields]: z.output<Fields[Name]> } & Pick<Result, 'link' | 'created'>>
}

export function defineEndpoint<Body extends z.ZodObject, Fields extends z.ZodRawShape>({
  fieldTypes,
  ...endpoint
}: EndpointDefinition<Body, Fields>): Endpoint<Body, Fields> {
  const { body } = endpoint
  const { numbers, booleans, booleansOrText = [] } = fieldTypes
  const paths = fieldPaths(body)
  const others = [...numbers, ...booleans, ...booleansOrText]
  return {
    ...endpoint,
    fields: {
      paths: new Set(paths),
      names: groupNames(paths),
      texts: new Set(paths.filter((path) => !others.some((other) => `${other}.`.startsWith(`${path}.`)))),
      numbers: new Set(numbers),
      booleans: new Set(booleans),
      formBooleans: new Set([...booleans, ...booleansOrText]),
    },
    acceptsEmptyBody: Object.values<z.ZodType>(body.shape).every(({ _zod }) => _zod.optin === 'optional'),
  }
}

/** The paths of the fields, including the fields of objects in lists. */
const fieldPaths = ({ shape }: z.ZodObject): string[] =>
  Object.entries(shape as Record<string, z.ZodType>).flatMap(([name, type]) => [
    name,
    ...(type instanceof z.ZodArray && type.element instanceof z.ZodObject
      ? fieldPaths(type.element).map((path) => `${name}.*.${path}`)
      : []),
  ])
