import type { MiddlewareHandler } from 'hono'
import type { z } from 'zod'

/** What is told of a route, for its document. */
export interface RouteDescription {
  readonly summary: string
  readonly description: string
  /** The parts of the path that stand for something. */
  readonly path?: Readonly<Record<string, z.ZodType>>
  /** What it answers, by status: JSON of some shape, a file of some type, or nothing. */
  readonly answers: Readonly<Record<number, z.ZodType | MediaType | null>>
  /** The type of the file that it takes as its body. */
  readonly file?: MediaType
  /** Whether anybody may ask, admitted or not. */
  readonly open?: boolean
  /** The problems it has beyond those that come with its query, its body and the door. */
  readonly problems?: readonly Problems[]
}

type MediaType = `${string}/${string}`

type Problems = 404 | 408 | 409 | 422

/** What a route takes, as its validators have it. */
export interface RouteInput {
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
}

export type PartialDescription = Partial<RouteDescription> & RouteInput

const notes = new WeakMap<object, PartialDescription>()

/** Pins a note to a handler, which stays as it is. */
export function withDescription<Handler extends object>(handler: Handler, note: PartialDescription): Handler {
  notes.set(handler, note)
  return handler
}

/** What the handlers of one route say together. */
export const mergeDescriptions = (handlers: readonly object[]): PartialDescription =>
  Object.assign({}, ...handlers.map((handler) => notes.get(handler)))

/** Tells what a route is for and what it answers. It stands before the route's handler and does nothing else. */
export const describeRoute = (told: RouteDescription & RouteInput): MiddlewareHandler =>
  withDescription((_c, next) => next(), told)
