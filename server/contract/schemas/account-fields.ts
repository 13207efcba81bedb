import { z } from 'zod'
import { unicodeText, validatedText, httpUrl } from './request-fields.ts'
import { validateEndpoint } from '../../domain/network/urls.ts'

/** The address on an account's invoices, as seeds and requests write it. */
export const BillingSchema = z.strictObject({
  company: unicodeText.meta({ description: 'The company.' }),
  name: unicodeText.meta({ description: 'The person.' }),
  street: unicodeText.meta({ description: 'The street.' }),
  houseNo: unicodeText.meta({ description: 'The number of the house.' }),
  zipcode: unicodeText.meta({ description: 'The postal code.' }),
  city: unicodeText.meta({ description: 'The city.' }),
  country: unicodeText.meta({ description: 'The country.' }),
  reverseCharge: z.boolean().meta({ description: 'Whether the customer owes the VAT.' }),
})

const paymentEndpoint = validatedText(
  validateEndpoint,
  'should be one URL as text: several belong into webhookUrls, and a link names them by index',
).meta({
  description:
    'Where webhooks go when a link names no target: one URL, a path below `/tunnel/`, or empty for none. Several belong into `webhookUrls`.',
  examples: ['/tunnel/flower-shop'],
})

const secretText = z
  .string()
  .regex(/^[A-Za-z0-9]{8,128}$/, { error: 'should be 8 to 128 letters and digits' })

const urlList = z.array(httpUrl).max(100, { error: 'should have at most 100 URLs' })

export const serviceFee = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,2})?$/, { error: 'should be a percentage as text, like 1.0' })
  .meta({ description: 'What the service takes, in percent, as text.', examples: ['1.0'] })

export const environment = z.enum(['development', 'production']).meta({
  description: 'A production key is rejected, as the service itself rejects it in development.',
})

export const accountName = unicodeText
  .min(1, { error: 'should not be empty' })
  .max(200, { error: 'should have at most 200 characters' })

/** What an account may be told, each of it or none, by requests and by seeds. */
export const accountFields = {
  name: accountName.optional().meta({ description: 'What the account is called.' }),
  apiKey: secretText
    .optional()
    .meta({ description: 'What the account sends in the header `token`. No other account may have it.' }),
  recipientToken: secretText
    .optional()
    .meta({ description: 'What others name the account by in `recipients`. No other may have it.' }),
  paymentEndpoint: paymentEndpoint.optional(),
  callbackUrls: urlList.optional().meta({ description: 'What indexes in `callback_url` count.' }),
  webhookUrls: urlList.optional().meta({ description: 'What indexes in `payment_endpoint` count.' }),
  billing: BillingSchema.partial().optional().meta({ description: 'The address on tax invoices.' }),
  bankTransfer: z
    .boolean()
    .optional()
    .meta({ description: "Whether the account's links offer bank transfer." }),
  serviceFee: serviceFee.optional(),
}
