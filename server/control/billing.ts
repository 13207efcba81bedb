import { z } from 'zod'
import { text } from './fields.ts'

/** The address on an account's invoices, as seeds and requests write it. */
export const Billing = z.strictObject({
  company: text,
  name: text,
  street: text,
  houseNo: text,
  zipcode: text,
  city: text,
  country: text,
  reverseCharge: z.boolean(),
})
