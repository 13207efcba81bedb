import { z } from 'zod'
import { decodeBody, type Body, type Exchange } from '../../domain/http/exchange.ts'
import { readonlyList, schemaFor } from './fields.ts'

export const HeadersSchema = readonlyList(z.tuple([z.string(), z.string()]).readonly()).meta({
  description: 'Pairs of name and value, in the order they travelled.',
})

export const BodySchema = z
  .strictObject({
    encoding: z.enum(['utf8', 'base64']),
    content: z.string().meta({ description: 'The text, or base64 where the bytes are none.' }),
    size: z.int().min(0).meta({ description: 'How many bytes there were, which may be more than are here.' }),
  })
  .refine(isReadable, { path: ['content'], error: 'should be base64' })

export const ExchangeSchema = schemaFor<Exchange>()(
  z
    .strictObject({
      request: z.strictObject({
        method: z.string(),
        url: z.string(),
        headers: HeadersSchema,
        body: BodySchema,
      }),
      response: z
        .strictObject({ status: z.int(), headers: HeadersSchema, body: BodySchema })
        .nullable()
        .meta({ description: 'Null where no answer came.' }),
    })
    .meta({ id: 'Exchange', description: 'One HTTP request and its answer, as they were on the wire.' }),
)

function isReadable(body: Body): boolean {
  if (body.encoding === 'utf8') return true
  try {
    return decodeBody(body).length <= body.size
  } catch {
    return false
  }
}
