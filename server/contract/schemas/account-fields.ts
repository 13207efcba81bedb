import { z } from 'zod'
import { unicodeText, validatedText, httpUrl } from './request-fields.ts'
import { whyInvalidEndpoint } from '../../domain/network/urls.ts'

/** The address on an account's invoices, in seeds and requests. */
export const BillingSchema = z.strictObject({
  company: unicodeText.meta({ description: 'The company name.' }),
  name: unicodeText.meta({ description: 'The name of the person.' }),
  street: unicodeText.meta({ description: 'The street.' }),
  houseNo: unicodeText.meta({ description: 'The house number.' }),
  zipcode: unicodeText.meta({ description: 'The postal code.' }),
  city: unicodeText.meta({ description: 'The city.' }),
  country: unicodeText.meta({ description: 'The country.' }),
  reverseCharge: z.boolean().meta({ description: 'Whether the customer owes the VAT.' }),
})

const paymentEndpoint = validatedText(
  whyInvalidEndpoint,
  'should be one URL in a string: several belong in webhookUrls, and a link refers to them by index',
).meta({
  description:
    'The target of webhooks if a link names none: one URL, a path below `/tunnel/`, or empty for none. For several URLs, use `webhookUrls`.',
  examples: ['/tunnel/flower-shop'],
})

const secretText = z
  .string()
  .regex(/^[A-Za-z0-9]{8,128}$/, { error: 'should be 8 to 128 letters and digits' })

const urlList = z.array(httpUrl).max(100, { error: 'should have at most 100 URLs' })

export const serviceFee = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,2})?$/, { error: 'should be a percentage like 1.0' })
  .meta({ description: 'The fee of the service, in percent, as text.', examples: ['1.0'] })

export const environment = z.enum(['development', 'production']).meta({
  description:
    'The environment of the API key. The sandbox rejects production keys, as the service does in development.',
})

export const accountNameField = unicodeText
  .min(1, { error: 'should not be empty' })
  .max(200, { error: 'should have at most 200 characters' })

/** The fields of an account that requests and seeds can set. All are optional. */
export const accountFields = {
  name: accountNameField.optional().meta({ description: 'The name of the account.' }),
  apiKey: secretText
    .optional()
    .meta({ description: 'The key that the account sends in the header `token`. It must be unique.' }),
  recipientToken: secretText
    .optional()
    .meta({ description: 'The token that other accounts use for it in `recipients`. It must be unique.' }),
  paymentEndpoint: paymentEndpoint.optional(),
  callbackUrls: urlList.optional().meta({ description: 'The list that indexes in `callback_url` refer to.' }),
  webhookUrls: urlList
    .optional()
    .meta({ description: 'The list that indexes in `payment_endpoint` refer to.' }),
  billing: BillingSchema.partial()
    .meta({ id: 'BillingFields' })
    .optional()
    .meta({ description: 'The address on tax invoices.' }),
  bankTransfer: z
    .boolean()
    .optional()
    .meta({ description: "Whether the account's links offer bank transfer." }),
  serviceFee: serviceFee.optional(),
}
