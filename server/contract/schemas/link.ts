import { z } from 'zod'
import type { LinkView } from '../views.ts'
import { euros, instant, schemaFor } from './fields.ts'
import { mappedTo } from './map.ts'

export const linkStatus = z.enum(['unused', 'awaiting-transfer', 'paid', 'cancelled', 'deleted'])

export const paymentMethod = z.enum(['card', 'bank-transfer'])

const disputeState = z.enum(['open', 'won', 'lost'])

const TargetSchema = z.object({
  url: z.string(),
  reason: z.string().meta({ description: 'Why it goes there.' }),
  mappedTo,
})

const RecipientSchema = z.object({
  accountId: z.string(),
  token: z.string(),
  share: z.number().meta({ description: 'Percent or euros, as the request had it.' }),
  amount: euros.meta({ description: 'What the recipient gets, in euros.' }),
})

export const LinkSchema = schemaFor<LinkView>()(
  z
    .object({
      id: z.int(),
      payId: z.int().meta({ description: 'The `pay_id` of redirects and webhooks.' }),
      linkId: z.string().meta({ description: 'The `link_id` in the pay link.' }),
      accountId: z.string().meta({ description: 'The owner.' }),
      amount: euros.meta({ description: 'In euros.' }),
      note: z.string().meta({ description: 'The `recipient_note`.' }),
      status: linkStatus,
      kind: z.enum(['split', 'basic']),
      splitType: z.enum(['normal', 'absolute']),
      cancellable: z.boolean(),
      bankTransfer: z.boolean().meta({ description: 'Whether the checkout offers it.' }),
      payLink: z.string().meta({ description: 'The address of the checkout.' }),
      qrImage: z.string().meta({ description: 'The address of its QR code.' }),
      callbackUrl: z.string().meta({ description: 'Where the browser goes afterwards, or empty.' }),
      callbackMappedTo: mappedTo,
      paymentEndpoint: z.string().meta({ description: '`payment_endpoint` as the request had it.' }),
      targets: z.array(TargetSchema).meta({ description: 'Where webhooks go.' }),
      payout: z.object({
        recipients: z.array(RecipientSchema),
        owner: euros.meta({ description: 'What is left for the owner, in euros.' }),
      }),
      paidBy: paymentMethod.nullable(),
      paidAt: instant.nullable(),
      dispute: disputeState.nullable().meta({ description: 'Won or lost by the customer.' }),
      createdAt: instant,
    })
    .meta({ id: 'Link', description: 'A payment link.' }),
)
