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
        .meta({ description: 'A production key is rejected.' }),
      apiKey: z.string().meta({ description: 'What the account sends in the header `token`.' }),
      recipientToken: z.string().meta({ description: 'What others name the account by in `recipients`.' }),
      paymentEndpoint: z
        .string()
        .meta({ description: 'Where webhooks go when a link names no target. Empty for none.' }),
      callbackUrls: readonlyList(z.string()).meta({ description: 'What indexes in `callback_url` count.' }),
      webhookUrls: readonlyList(z.string()).meta({
        description: 'What indexes in `payment_endpoint` count.',
      }),
      billing: BillingSchema.meta({ description: 'The address on tax invoices.' }),
      bankTransfer: z.boolean().meta({ description: "Whether the account's links offer bank transfer." }),
      serviceFee: z.string().meta({ description: 'Percent, as text.' }),
    })
    .meta({ id: 'Account', description: 'One party of the service.' }),
)
