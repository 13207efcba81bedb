import { z } from 'zod'
import type { TunnelAnswer } from '../../domain/network/tunnel.ts'
import type { CapturedRequestView, TunnelView } from '../views.ts'
import { BodySchema, HeadersSchema } from './exchange.ts'
import { instant, readonlyList, schemaFor } from './fields.ts'

export const TunnelAnswerSchema = schemaFor<TunnelAnswer>()(
  z
    .object({ status: z.int(), headers: HeadersSchema, body: z.string(), delayMs: z.int() })
    .meta({ id: 'TunnelAnswer', description: 'The answer of a tunnel if no listener answers.' }),
)

export const TunnelSchema = schemaFor<TunnelView>()(
  z
    .object({
      name: z.string(),
      url: z.string(),
      answer: TunnelAnswerSchema,
      requests: z.int().meta({ description: 'How many requests the tunnel stores.' }),
      listeners: readonlyList(
        z.object({
          id: z.string(),
          to: z.string().meta({ description: 'The local address that it forwards requests to.' }),
          state: z.enum(['connected', 'away']),
          target: z
            .enum(['up', 'down'])
            .nullable()
            .meta({ description: 'Whether a server listens at that address. Null if this is not known.' }),
          connectedAt: instant.meta({
            description: 'When it last connected, by the machine’s clock.',
          }),
          awaySince: instant.nullable(),
          waiting: z.int().meta({ description: 'How many requests it has not acknowledged.' }),
        }),
      ),
    })
    .meta({
      id: 'Tunnel',
      description: 'An address that captures requests or forwards them to its listeners.',
    }),
)

export const CapturedRequestSchema = schemaFor<CapturedRequestView>()(
  z
    .object({
      seq: z.int(),
      at: instant,
      method: z.string(),
      path: z.string(),
      headers: HeadersSchema,
      body: BodySchema,
      waitsFor: readonlyList(z.string()).meta({
        description: 'The listeners that have not acknowledged it.',
      }),
    })
    .meta({ id: 'Capture', description: 'A request that a tunnel captured.' }),
)
