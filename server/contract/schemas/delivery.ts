import { z } from 'zod'
import type { AttemptView, DeliveryView, RetryView } from '../views.ts'
import { ExchangeSchema } from './exchange.ts'
import { faultMark } from './fault.ts'
import { instant, readonlyList, statusText, schemaFor } from './fields.ts'
import { mappedTo } from './map.ts'

export const deliveryState = z.enum(['pending', 'delivered', 'failed', 'held'])

export const cause = z.enum(['outcome', 'resend', 'replay', 'duplicate', 'forged']).meta({
  description: 'Why there is one. A duplicate is the doing of a fault, a forged one was asked for by hand.',
})

export const via = z.string().optional().meta({
  description: "The address it went to instead of the target, where localhost is a container's own.",
})

const AttemptSchema = schemaFor<AttemptView>()(
  z
    .object({
      number: z.int().meta({ description: 'Counted from 1.' }),
      seq: z.int().meta({ description: 'Its event in the journal.' }),
      at: instant,
      status: z.int().nullable().meta({ description: 'The HTTP status, null where no answer came.' }),
      ms: z.number().meta({ description: 'How long it took.' }),
      error: z.string().nullable().meta({ description: 'Why no answer came.' }),
      mappedTo,
      via,
      exchange: ExchangeSchema.nullable()
        .optional()
        .meta({ description: 'The bytes of both sides, where one delivery is asked for.' }),
    })
    .meta({ id: 'Attempt', description: 'One POST of a webhook.' }),
)

export const DeliverySchema = schemaFor<DeliveryView>()(
  z
    .object({
      id: z.int(),
      accountId: z.string(),
      linkId: z.int(),
      payId: z.int(),
      status: statusText.meta({ description: 'What it tells.' }),
      cause,
      target: z.string().meta({ description: 'Where it is meant to go.' }),
      mappedTo: mappedTo.meta({
        description:
          'Where a map led its newest attempt in place of the target, or leads the next. Missing where none does.',
      }),
      reason: z.string().meta({ description: 'Why it goes there.' }),
      contentType: z.string(),
      body: z.string(),
      state: deliveryState,
      nextAttemptAt: instant.nullable().meta({
        description: "When it is tried next, by the sandbox's clock. Null where that is not to come.",
      }),
      heldReason: z
        .string()
        .nullable()
        .meta({ description: 'Why it is held, and how to let it out. Null where it is not.' }),
      possibleDuplicate: z.boolean().meta({ description: 'Whether its receiver may have got it before.' }),
      replayOf: z.int().nullable().meta({ description: 'The delivery whose bytes are sent again.' }),
      fault: faultMark
        .nullable()
        .meta({ description: 'What a fault has done to it, or what it was made by.' }),
      createdAt: instant,
      attempts: readonlyList(AttemptSchema),
    })
    .meta({ id: 'Delivery', description: 'One webhook on its way to one target.' }),
)

export const RetrySchema = schemaFor<RetryView>()(
  z
    .object({
      deliveryId: z.int(),
      linkId: z.int().nullable(),
      number: z.int().meta({ description: 'Counted from 1.' }),
      at: instant,
      status: z.int().nullable().meta({ description: 'The HTTP status, null where no answer came.' }),
      error: z.string().nullable().meta({ description: 'Why no answer came.' }),
      state: deliveryState,
      target: z.string(),
    })
    .meta({ id: 'Retry', description: 'An attempt in a list of attempts of several webhooks.' }),
)
