import { z } from 'zod'
import { decodeBody, type Body, type Exchange } from '../../domain/http/exchange.ts'
import { readonlyList, schemaFor } from './fields.ts'

export const HeadersSchema = readonlyList(z.tuple([z.string(), z.string()]).readonly()).meta({
  description: 'Pairs of name and value, in the sequence in which they were sent.',
})

export const BodySchema = z
  .strictObject({
    encoding: z.enum(['utf8', 'base64']),
    content: z.string().meta({ description: 'The text, or base64 if the bytes are not text.' }),
    size: z.int().min(0).meta({ description: 'The full size in bytes. `content` may contain fewer.' }),
    isOmitted: z
      .literal(true)
      .optional()
      .meta({ description: 'Set if the HAR file does not contain the body, so that it is not known.' }),
  })
  .refine(isReadable, { path: ['content'], error: 'should be base64' })
  .meta({ id: 'ExchangeBody', description: 'The body of a request or an answer.' })

export const ResponseSchema = z
  .strictObject({ status: z.int(), headers: HeadersSchema, body: BodySchema })
  .meta({ id: 'ExchangeResponse', description: 'An answer as it was sent.' })

export const ExchangeSchema = schemaFor<Exchange>()(
  z
    .strictObject({
      request: z.strictObject({
        method: z.string(),
        url: z.string(),
        headers: HeadersSchema,
        body: BodySchema,
      }),
      response: ResponseSchema.nullable().meta({ description: 'Null if no answer came.' }),
      sandboxResponse: ResponseSchema.optional().meta({
        description: 'What the sandbox would have answered, if the real service answered.',
      }),
    })
    .meta({ id: 'Exchange', description: 'An HTTP request and its answer, as they were sent.' }),
)

function isReadable(body: Body): boolean {
  if (body.encoding === 'utf8') return true
  try {
    return decodeBody(body).length <= body.size
  } catch {
    return false
  }
}
