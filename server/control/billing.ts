import { z } from 'zod'
import { text } from './fields.ts'

/** The address on an account's invoices, as seeds and requests write it. */
export const Billing = z.strictObject({
  company: text.meta({ description: 'The company.' }),
  name: text.meta({ description: 'The person.' }),
  street: text.meta({ description: 'The street.' }),
  houseNo: text.meta({ description: 'The number of the house.' }),
  zipcode: text.meta({ description: 'The postal code.' }),
  city: text.meta({ description: 'The city.' }),
  country: text.meta({ description: 'The country.' }),
  reverseCharge: z.boolean().meta({ description: 'Whether the customer owes the VAT.' }),
})
