import { z } from 'zod'
import type { Exchange } from '../../domain/exchange.ts'
import { list, shown } from './fields.ts'

export const Headers = list(z.tuple([z.string(), z.string()]).readonly()).meta({
  description: 'Pairs of name and value, in the order they travelled.',
})

export const Bytes = z.object({
  encoding: z.enum(['utf8', 'base64']),
  content: z.string().meta({ description: 'The text, or base64 where the bytes are none.' }),
  size: z.int().meta({ description: 'How many bytes there were, which may be more than are here.' }),
})

export const ExchangeShape = shown<Exchange>()(
  z
    .object({
      request: z.object({ method: z.string(), url: z.string(), headers: Headers, body: Bytes }),
      response: z
        .object({ status: z.int(), headers: Headers, body: Bytes })
        .nullable()
        .meta({ description: 'Null where no answer came.' }),
    })
    .meta({ id: 'Exchange', description: 'One HTTP request and its answer, as they were on the wire.' }),
)
