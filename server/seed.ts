import { z } from 'zod'
import { Billing } from './control/billing.ts'
import { fromEuros } from './domain/money.ts'
import type { Seed } from './operations/reset.ts'

const Account = z.strictObject({
  id: z.guid(),
  name: z.string(),
  environment: z.enum(['development', 'production']),
  apiKey: z.string(),
  recipientToken: z.string(),
  paymentEndpoint: z.string(),
  callbackUrls: z.array(z.url()),
  webhookUrls: z.array(z.url()),
  billing: Billing,
  bankTransfer: z.boolean(),
  serviceFee: z.string(),
})

const euros = z.number().min(0).transform(fromEuros)

const Invoice = z.strictObject({
  sfId: z.string(),
  accountId: z.guid(),
  invoiceId: z.string().regex(/^\d{6}-sf-[A-Z0-9]{10}$/),
  invoiceDate: z.iso.date(),
  serviceMonth: z.string().regex(/^\d{4}-\d{2}$/),
  platformFee: euros,
  pspFee: euros,
  vat: euros,
  createdAt: z.iso.datetime(),
})

const SeedFile = z.strictObject({ accounts: z.array(Account), invoices: z.array(Invoice) })

/** Reads a seed file: invoices get the address of their account's billing settings. */
export function readSeed(file: unknown): Omit<Seed, 'behaviors'> {
  const { accounts, invoices } = SeedFile.parse(file)
  return {
    accounts,
    invoices: invoices.map((invoice) => {
      const owner = accounts.find(({ id }) => id === invoice.accountId)
      if (!owner)
        throw new Error(
          `Invoice ${invoice.invoiceId} names account ${invoice.accountId}, which is not seeded.`,
        )
      const { reverseCharge: _, ...address } = owner.billing
      return { ...address, ...invoice }
    }),
  }
}
