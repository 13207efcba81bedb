import { z } from 'zod'
import type { AttemptView, DeliveryView, RetryView } from '../views.ts'
import { ExchangeSchema } from './exchange.ts'
import { faultMark } from './fault.ts'
import { instant, readonlyList, statusText, schemaFor } from './fields.ts'
import { mappedTo } from './map.ts'
import { httpUrl, unicodeText, waitMode } from './request-fields.ts'

export const deliveryState = z.enum(['pending', 'delivered', 'failed', 'held'])

export const cause = z.enum(['outcome', 'resend', 'replay', 'duplicate', 'forged']).meta({
  description: 'Why the webhook exists. A fault creates a `duplicate`. You request a `forged` one by hand.',
})

const via = z.string().optional().meta({
  description:
    'The address that the sandbox used instead of the target, because localhost in a container is the container itself.',
})

const storedIn = z.string().optional()

const takenBy = z
  .object({
    listener: z.string().meta({ description: 'The name of the listener.' }),
    seq: z.int().meta({ description: 'The `seq` of its answer in the journal.' }),
    at: instant,
    status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status of the app. Null if it gave no answer.' }),
    error: z.string().nullable().meta({ description: 'Why there is no answer.' }),
  })
  .optional()
  .meta({ description: 'The listener that fetched the stored webhook later. Missing if none has.' })

const AttemptSchema = schemaFor<AttemptView>()(
  z
    .object({
      number: z.int().meta({ description: 'The number of the attempt, from 1.' }),
      seq: z.int().meta({ description: 'The `seq` of its event in the journal.' }),
      at: instant,
      status: z.int().nullable().meta({ description: 'The HTTP status. Null if no answer came.' }),
      ms: z.number().meta({ description: 'The duration in milliseconds.' }),
      error: z.string().nullable().meta({ description: 'Why no answer came.' }),
      mappedTo,
      via,
      storedIn: storedIn.meta({
        description:
          'The tunnel that stored the webhook and answered, because no listener was connected. Missing if a receiver or a listener answered.',
      }),
      takenBy,
      exchange: ExchangeSchema.nullable().optional().meta({
        description: 'The bytes of the request and its answer. Only in the response for a single delivery.',
      }),
    })
    .meta({ id: 'Attempt', description: 'One attempt to send a webhook.' }),
)

export const DeliverySchema = schemaFor<DeliveryView>()(
  z
    .object({
      id: z.int(),
      accountId: z.string(),
      linkId: z.int(),
      payId: z.int(),
      status: statusText.meta({ description: 'The payment status that it reports.' }),
      cause,
      target: z.string().meta({ description: 'The URL that should receive it.' }),
      mappedTo: mappedTo.meta({
        description:
          'The address that replaces the target in the next attempt, or replaced it in the last, because of a map. Missing if no map applies.',
      }),
      reason: z.string().meta({ description: 'Why it goes to this target.' }),
      contentType: z.string(),
      body: z.string(),
      state: deliveryState.meta({
        description:
          '`delivered`: the answer was a 2xx status. If `storedIn` is set, that answer came from a tunnel, and no app has the webhook yet.',
      }),
      storedIn: storedIn.meta({
        description:
          'The tunnel that stores it until a listener fetches it. Missing once a listener has fetched it, and if the webhook went elsewhere. If the app behind the listener answers with an error, the state becomes `failed`.',
      }),
      nextAttemptAt: instant.nullable().meta({
        description: "The time of the next attempt, by the sandbox's clock. Null if none is scheduled.",
      }),
      heldReason: z
        .string()
        .nullable()
        .meta({ description: 'Why it is held, and how to send it. Null if it is not held.' }),
      possibleDuplicate: z
        .boolean()
        .meta({ description: 'Whether the receiver may already have received it.' }),
      replayOf: z
        .int()
        .nullable()
        .meta({ description: 'The id of the delivery whose bytes it sends again.' }),
      fault: faultMark.nullable().meta({ description: 'The fault that changed it or created it.' }),
      createdAt: instant,
      attempts: readonlyList(AttemptSchema),
    })
    .meta({ id: 'Delivery', description: 'A webhook for one target.' }),
)

export const RetrySchema = schemaFor<RetryView>()(
  z
    .object({
      deliveryId: z.int(),
      linkId: z.int().nullable(),
      number: z.int().meta({ description: 'The number of the attempt, from 1.' }),
      at: instant,
      status: z.int().nullable().meta({ description: 'The HTTP status. Null if no answer came.' }),
      error: z.string().nullable().meta({ description: 'Why no answer came.' }),
      state: deliveryState,
      storedIn: storedIn.meta({
        description: 'The tunnel that stored the webhook, because no listener was connected.',
      }),
      target: z.string(),
    })
    .meta({ id: 'Retry', description: 'An attempt, in a list that covers several webhooks.' }),
)

/** How a webhook is sent again. */
export const ReplayBody = z.strictObject({
  to: httpUrl.optional().meta({ description: 'Another target.' }),
  body: unicodeText.optional().meta({ description: 'Another body.' }),
  wait: waitMode,
})
