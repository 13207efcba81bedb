import { z } from 'zod'
import {
  browserActions,
  disputeStates,
  linkKinds,
  linkStatuses,
  paymentMethods,
} from '../../domain/links/link.ts'
import { splitTypes } from '../../domain/money/split.ts'
import type { LinkView } from '../views.ts'
import { euros, instant, schemaFor } from './fields.ts'
import { mappedTo } from './map.ts'

export const linkKind = z.enum(linkKinds)

export const splitType = z.enum(splitTypes)

export const linkStatus = z.enum(linkStatuses)

export const paymentMethod = z.enum(paymentMethods)

/** What the customer's browser does after the payment. */
export const browser = z.enum(browserActions).default('returns').meta({
  description: "Whether the customer's browser follows the redirect, or is closed before it.",
})

export const disputeState = z.enum(disputeStates)

const TargetSchema = z.object({
  url: z.string(),
  reason: z.string().meta({ description: 'Why webhooks go to this URL.' }),
  mappedTo,
})

const RecipientSchema = z.object({
  accountId: z.string(),
  token: z.string(),
  share: z.number().meta({ description: 'Percent or euros, as in the request.' }),
  amount: euros.meta({ description: 'The amount that the recipient gets, in euros.' }),
})

export const LinkSchema = schemaFor<LinkView>()(
  z
    .object({
      id: z.int(),
      payId: z.int().meta({ description: 'The `pay_id` of redirects and webhooks.' }),
      linkId: z.string().meta({ description: 'The `link_id` in the pay link.' }),
      accountId: z.string().meta({ description: 'The id of the account that owns the link.' }),
      amount: euros.meta({ description: 'In euros.' }),
      note: z.string().meta({ description: 'The `recipient_note`.' }),
      status: linkStatus,
      kind: linkKind,
      splitType,
      cancellable: z.boolean(),
      bankTransfer: z.boolean().meta({ description: 'Whether the checkout offers bank transfer.' }),
      payLink: z.string().meta({ description: 'The address of the checkout.' }),
      qrImage: z.string().meta({ description: 'The address of the QR code for the pay link.' }),
      callbackUrl: z
        .string()
        .meta({ description: 'The address that the checkout redirects the browser to. Empty for none.' }),
      callbackMappedTo: mappedTo,
      paymentEndpoint: z.string().meta({ description: 'The `payment_endpoint` of the request.' }),
      targets: z.array(TargetSchema).meta({ description: 'The targets of webhooks.' }),
      payout: z.object({
        recipients: z.array(RecipientSchema),
        owner: euros.meta({ description: 'The amount that the owner keeps, in euros.' }),
      }),
      paidBy: paymentMethod.nullable(),
      paidAt: instant.nullable(),
      dispute: disputeState
        .nullable()
        .meta({ description: 'The state of the dispute. `won` means that the customer won.' }),
      createdAt: instant,
    })
    .meta({ id: 'Link', description: 'A payment link.' }),
)
