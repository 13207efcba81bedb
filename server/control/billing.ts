import { z } from 'zod'

/** Text that can be stored as UTF-8. */
export const text = z.string().refine((value) => value.isWellFormed(), { error: 'is not valid Unicode' })

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
