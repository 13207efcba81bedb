import type { z } from 'zod'
import type { FieldNames } from '../domain/diagnose-call.ts'
import type { Caller } from '../operations/caller.ts'
import type { Work } from '../store/store.ts'
import type { RawBody } from './body.ts'
import { readBody } from './body.ts'
import type { Answer } from './envelope.ts'
import type { FieldTypes } from './field-types.ts'

export interface Request {
  readonly work: Work
  readonly caller: Caller
  /** The base address that links in the answer are built on. */
  readonly baseUrl: string
}

/** One operation of the v2 API: what it takes and what it answers. */
export interface Endpoint {
  readonly fields: FieldNames
  answer(request: Request, body: RawBody): Promise<Answer>
}

/** Puts an endpoint together from the shape of its body and its answer to a valid one. */
export function endpoint<Schema extends z.ZodObject>(
  schema: Schema,
  fields: FieldTypes,
  answer: (request: Request, body: z.output<Schema>) => Promise<Answer>,
): Endpoint {
  return {
    fields: {
      names: Object.keys(schema.shape),
      numbers: fields.numbers,
      // Some are documented as text too.
      booleans: fields.booleans.filter((name) => !schema.shape[name]?.safeParse('true').success),
    },
    answer: (request, raw) => answer(request, readBody(raw, schema, fields, request.caller.inForce)),
  }
}
