import { z } from 'zod'
import type { SchemasOf } from '../../contract/schemas/fields.ts'
import type { Account } from '../../domain/accounts/account.ts'
import type { TaxInvoice } from '../../domain/accounts/tax-invoice.ts'
import type { Link } from '../../domain/links/link.ts'
import { MAX_AMOUNT } from '../../domain/money/cents.ts'
import { whyInvalidTunnelName } from '../../domain/network/tunnel.ts'
import { isHttpUrl, isTunnelPath, whyInvalidTunnelPath, whyInvalidUrl } from '../../domain/network/urls.ts'
import { isInClockRange } from '../../domain/time/clock.ts'
import type { StoredExchange } from '../../store/journal/exchange-columns.ts'
import { deliveryStates } from '../../domain/webhooks/delivery-values.ts'
import {
  accountFields,
  accountNameField,
  BillingSchema,
  environment,
  serviceFee,
} from '../../contract/schemas/account-fields.ts'
import { commonFieldSchemas } from '../../contract/schemas/event.ts'
import { HeadersSchema, ResponseSchema } from '../../contract/schemas/exchange.ts'
import { LinkSchema } from '../../contract/schemas/link.ts'
import { unicodeText, validatedText } from '../../contract/schemas/request-fields.ts'
import { MAX_RECIPIENTS, MAX_TARGETS } from '../../domain/links/limits.ts'
import { MAX_PAY_ID, positiveInt } from '../../contract/seed/seed-link-schema.ts'
import { seedAccountId, month, SeedInvoiceSchema } from '../../contract/seed/seed-schema.ts'

export const id = positiveInt(MAX_PAY_ID)
export const countSchema = z.int().min(0)
export const cents = z.int().min(1).max(MAX_AMOUNT)
/** Can be zero, because shares are rounded. Has no maximum, because the fees of many payments are added up. */
const sumOfCents = z.int().min(0)

/**
 * Times have only this notation, because the database compares them as text. The next attempt may be after the last time that the
 * clock can show.
 */
export const unlimitedTime = z.iso.datetime({
  precision: 3,
  error: 'should be a time in UTC, like 2026-12-01T00:00:00.000Z',
  abort: true,
})
export const time = unlimitedTime.refine(isInClockRange, { error: 'is outside the range of the clock' })

export const tunnel = validatedText(whyInvalidTunnelName)
export const target = validatedText((url) =>
  isTunnelPath(url) ? whyInvalidTunnelPath(url) : whyInvalidUrl(url),
)
const callbackUrl = validatedText((url) => (url === '' ? null : whyInvalidUrl(url)))
const location = validatedText((url) =>
  isHttpUrl(url) || isOwnPath(url) ? null : 'should be an http or https URL, or a path on the sandbox',
)

/** Resolves the path first, because a path that begins with two slashes leads to a different host. */
function isOwnPath(url: string): boolean {
  const base = 'http://localhost'
  return url.startsWith('/') && URL.canParse(url, base) && new URL(url, base).origin === base
}

export const accountRecord = {
  ...accountFields,
  id: seedAccountId,
  name: accountNameField,
  environment,
  billing: BillingSchema,
} satisfies SchemasOf<Partial<Account>>

export const linkRecord = {
  ...LinkSchema.pick({ status: true, kind: true, splitType: true, paidBy: true, dispute: true }).shape,
  id,
  payId: id,
  accountId: unicodeText,
  amount: cents,
  note: unicodeText,
  recipients: z
    .array(
      z.strictObject({
        accountId: unicodeText,
        token: unicodeText,
        share: z.number().gt(0),
        amount: sumOfCents,
      }),
    )
    .max(MAX_RECIPIENTS)
    .readonly(),
  cancellable: z.boolean(),
  isQrLink: z.boolean(),
  bankTransfer: z.boolean(),
  bankStatementDescription: unicodeText,
  serviceFee,
  callbackUrl,
  paymentEndpoint: unicodeText,
  targets: z
    .array(z.strictObject({ url: target, reason: unicodeText }))
    .max(MAX_TARGETS)
    .readonly(),
  paidAt: time.nullable(),
  createdAt: time,
} satisfies SchemasOf<Link>

export const invoiceRecord = {
  ...BillingSchema.omit({ reverseCharge: true }).shape,
  sfId: SeedInvoiceSchema.shape.sfId.unwrap(),
  invoiceId: SeedInvoiceSchema.shape.invoiceId.unwrap(),
  invoiceDate: SeedInvoiceSchema.shape.invoiceDate.unwrap(),
  accountId: unicodeText,
  serviceMonth: month,
  platformFee: sumOfCents,
  pspFee: sumOfCents,
  vat: sumOfCents,
  createdAt: time,
} satisfies SchemasOf<TaxInvoice>

const storedMessage = { headers: HeadersSchema, size: countSchema, isOmitted: z.literal(true).optional() }

/** A request and its response without their bodies, which are in separate columns. */
export const storedExchange = z.strictObject({
  request: z.strictObject({ method: z.string(), url: z.string(), ...storedMessage }),
  response: z.strictObject({ status: z.int(), ...storedMessage }).nullable(),
  sandboxResponse: ResponseSchema.optional(),
}) satisfies z.ZodType<StoredExchange>

/** Text, or bytes if they are not UTF-8. */
export const storedBody = z.union([z.string(), z.instanceof(Uint8Array)], {
  error: 'should be text or bytes',
})

/** The schemas for the fields of stored events. */
export const fieldSchemas = {
  ...commonFieldSchemas,
  amount: cents,
  link: z.strictObject(linkRecord),
  invoice: z.strictObject(invoiceRecord),
  deliveryState: z.enum(deliveryStates),
  instant: unlimitedTime,
  target,
  location,
}
