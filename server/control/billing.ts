import { z } from 'zod'

/** The address on an account's invoices, as seeds and requests write it. */
export const Billing = z.strictObject({
  company: z.string(),
  name: z.string(),
  street: z.string(),
  houseNo: z.string(),
  zipcode: z.string(),
  city: z.string(),
  country: z.string(),
  reverseCharge: z.boolean(),
})
