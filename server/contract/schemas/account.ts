import { z } from 'zod'
import type { AccountView } from '../views.ts'
import { BillingSchema } from './account-fields.ts'
import { readonlyList, schemaFor } from './fields.ts'

export const AccountSchema = schemaFor<AccountView>()(
  z
    .object({
      id: z.string().meta({ description: 'The `user_id` of links and webhooks.' }),
      name: z.string(),
      environment: z
        .enum(['development', 'production'])
        .meta({ description: 'The environment of the API key. The sandbox rejects production keys.' }),
      apiKey: z.string().meta({ description: 'The key that the account sends in the header `token`.' }),
      recipientToken: z
        .string()
        .meta({ description: 'The token that other accounts use for it in `recipients`.' }),
      paymentEndpoint: z
        .string()
        .meta({ description: 'The target of webhooks if a link names none. Empty for no target.' }),
      callbackUrls: readonlyList(z.string()).meta({
        description: 'The list that indexes in `callback_url` refer to.',
      }),
      webhookUrls: readonlyList(z.string()).meta({
        description: 'The list that indexes in `payment_endpoint` refer to.',
      }),
      billing: BillingSchema.meta({ description: 'The address on tax invoices.' }),
      bankTransfer: z.boolean().meta({ description: "Whether the account's links offer bank transfer." }),
      serviceFee: z.string().meta({ description: 'The fee of the service, in percent, as text.' }),
    })
    .meta({ id: 'Account', description: 'An account of the payment service.' }),
)
