import type { MiddlewareHandler } from 'hono'
import type { z } from 'zod'

/**
 * What the OpenAPI document says about a route. Every parameter, and every key of query and body, needs `.meta({ description
 * })`. A schema with `.meta({ id })` becomes a component. A route that answers 101 opens a WebSocket.
 */
interface RouteDescription {
  readonly summary: string
  readonly description: string
  readonly params?: Readonly<Record<string, z.ZodType>>
  /** For each status, a schema for JSON, a media type for a file, or `null` for no body. */
  readonly responses: Readonly<Record<number, z.ZodType | MediaType | null>>
  /** The media type of the body, if the body is a file. */
  readonly bodyType?: MediaType
  /** Whether the route needs no token. */
  readonly isPublic?: boolean
  /** Error statuses that only this route has. Those that result from its query, body and access are added. */
  readonly errors?: readonly (404 | 408 | 409 | 422)[]
}

type MediaType = `${string}/${string}`

/** The schemas of a route's validators. */
interface RouteInput {
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
}

export type PartialDescription = Partial<RouteDescription> & RouteInput

const descriptions = new WeakMap<object, PartialDescription>()

/** Attaches a description to a handler and returns the same handler. */
export function withDescription<Handler extends object>(
  handler: Handler,
  description: PartialDescription,
): Handler {
  descriptions.set(handler, description)
  return handler
}

/** Merges the descriptions that the handlers of a route have. */
export const mergeDescriptions = (handlers: readonly object[]): PartialDescription =>
  Object.assign({}, ...handlers.map((handler) => descriptions.get(handler)))

/**
 * Middleware that does nothing but carry a description. The validators `body` and `query` add their schemas to the description.
 */
export const describeRoute = (description: RouteDescription & RouteInput): MiddlewareHandler =>
  withDescription((_c, next) => next(), description)
