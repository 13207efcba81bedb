/** The parts of OpenAPI 3.1 that the sandbox's documents use. */
export interface Document {
  readonly openapi: '3.1.1'
  readonly info: Info
  readonly servers: readonly Server[]
  readonly tags: readonly Tag[]
  readonly paths: Readonly<Record<string, PathItem>>
  /** The requests that the sandbox sends. */
  readonly webhooks?: Readonly<Record<string, PathItem>>
  /** WebSockets, by path. Not in `paths`, because OpenAPI cannot describe WebSockets. */
  readonly 'x-sandbox-websockets'?: Readonly<Record<string, PathItem>>
  readonly security: readonly SecurityRequirement[]
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaObject>>
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  }
  readonly 'x-sandbox-behaviors'?: readonly OpenPointNote[]
}

interface Info {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly contact: { readonly name: string }
  readonly license: { readonly name: string; readonly identifier: string }
}

interface Server {
  readonly url: string
  readonly description: string
}

export interface Tag {
  readonly name: string
  readonly description: string
}

/** The names of security schemes. Their scopes are always empty. */
type SecurityRequirement = Readonly<Record<string, readonly []>>

export type SecurityScheme = {
  readonly description: string
  /** A value that this sandbox accepts. */
  readonly 'x-sandbox-example'?: string
} & (
  | { readonly type: 'apiKey'; readonly in: 'header' | 'cookie'; readonly name: string }
  | { readonly type: 'http'; readonly scheme: 'bearer' }
)

/** Something that the API reference does not define, and what the sandbox does. */
export interface OpenPointNote {
  /** The heading of the note's group. Notes of one group follow each other. */
  readonly group: string
  readonly name: string
  readonly options: readonly string[]
  readonly reference: string
  readonly assumption: string
  readonly switchable: boolean
}

/** Stands for the API key in documents for readers without access. */
export const API_KEY_PLACEHOLDER = '<API_KEY>'

export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const

export type Method = (typeof METHODS)[number]

export type PathItem = { readonly [Name in Method]?: OperationObject }

export interface OperationObject {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, ResponseObject>>
  readonly security?: readonly SecurityRequirement[]
  /** The names of the open points that a response can depend on. */
  readonly 'x-sandbox-behaviors'?: readonly string[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: SchemaObject
  readonly example?: unknown
}

export interface RequestBody {
  readonly required: boolean
  readonly description?: string
  readonly content: Content
}

export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: SchemaObject }>>
  readonly content?: Content
}

export type Content = Readonly<Record<string, MediaType>>

export interface MediaType {
  readonly schema: SchemaObject
  readonly examples?: Readonly<Record<string, Example>>
}

export interface Example {
  readonly summary?: string
  readonly description?: string
  readonly value: unknown
  /** The requests that must be sent before the example. */
  readonly 'x-sandbox-given'?: readonly ExampleCall[]
}

/** A request that must be sent before an example. */
export interface ExampleCall {
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly body?: unknown
}

/** The parts of JSON Schema that the documents use. */
export interface SchemaObject {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, SchemaObject>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | SchemaObject
  readonly items?: boolean | SchemaObject
  readonly prefixItems?: readonly SchemaObject[]
  readonly anyOf?: readonly SchemaObject[]
  readonly oneOf?: readonly SchemaObject[]
  readonly allOf?: readonly SchemaObject[]
  readonly contentMediaType?: string
  /**
   * What the API reference does not define. For each open point, the keywords of this schema that it covers, or `field` for the
   * whole field.
   */
  readonly 'x-sandbox-assumed'?: Readonly<Record<string, readonly string[]>>
}
