import { MAX_RECIPIENTS, MAX_TARGETS } from '../../domain/links/limits.ts'
import { z } from 'zod'
import type { SchemasOf } from '../schemas/fields.ts'
import type { SeedLink as Described, SeedRecipient, SeedRefund } from '../../domain/state/seed.ts'
import { serviceFee } from '../schemas/account-fields.ts'
import { disputeState, linkKind, linkStatus, paymentMethod, splitType } from '../schemas/link.ts'
import { positiveAmount, httpUrl, utcInstant, unicodeText } from '../schemas/request-fields.ts'

const accountReference = unicodeText.min(1, { error: 'should be the name or the id of an account' })

/** Leaves room for the ids of later links, and for a `pay_id` greater than the id. */
const MAX_ID = 9_999_999_999_999
export const MAX_PAY_ID = 999_999_999_999_999

export const positiveInt = (max: number) =>
  z
    .int()
    .min(1)
    .max(max, { error: `should be at most ${max}` })

const SeedRecipientSchema = z
  .strictObject({
    account: accountReference.optional(),
    token: unicodeText
      .optional()
      .describe(
        'The recipient token, instead of the account, or in addition: the token that the link was created with.',
      ),
    share: z
      .number()
      .gt(0, { error: 'should be greater than zero' })
      .describe('Percent, or euros if splitType is absolute.'),
  } satisfies SchemasOf<SeedRecipient>)
  .refine(({ account, token }) => account !== undefined || token !== undefined, {
    error: 'should have an account (name or id) or a token',
  })
  .meta({ id: 'SeedRecipient' })

const SeedRefundSchema = z
  .strictObject({
    amount: positiveAmount.optional().describe('In euros. Default: the whole payment.'),
    full: z.boolean().optional(),
    state: z.enum(['pending', 'approved', 'rejected']).default('pending'),
    requestedAt: utcInstant.optional(),
    decidedAt: utcInstant.optional(),
  } satisfies SchemasOf<SeedRefund>)
  .refine(({ state, decidedAt }) => state !== 'pending' || decidedAt === undefined, {
    path: ['decidedAt'],
    error: 'is the time of a decision, but the refund is pending',
  })
  .meta({ id: 'SeedRefund' })

/** A payment link in a seed. Only the account and the amount are required. */
export const SeedLinkSchema = z
  .strictObject({
    id: positiveInt(MAX_ID).optional(),
    payId: positiveInt(MAX_PAY_ID).optional(),
    account: accountReference.describe('The owner, by name or id.'),
    amount: positiveAmount.describe('In euros.'),
    note: unicodeText.optional(),
    kind: linkKind.optional().describe('Default: split if there are recipients, otherwise basic.'),
    splitType: splitType.optional().describe('normal: shares are percent. absolute: shares are euros.'),
    recipients: z
      .array(SeedRecipientSchema)
      .max(MAX_RECIPIENTS, { error: `should have at most ${MAX_RECIPIENTS} recipients` })
      .default([]),
    callbackUrl: unicodeText.optional().describe("A URL, or an index of the account's callback URLs."),
    paymentEndpoint: unicodeText
      .optional()
      .describe("URLs and indexes of the account's webhook URLs, separated by commas."),
    targets: z
      .array(z.strictObject({ url: httpUrl, reason: unicodeText }).meta({ id: 'SeedTarget' }))
      .max(MAX_TARGETS, { error: `should have at most ${MAX_TARGETS} targets` })
      .optional()
      .describe(
        'The targets that paymentEndpoint resolved to, in an export whose account has changed since.',
      ),
    cancellable: z.boolean().optional(),
    isQrLink: z.boolean().optional(),
    bankTransfer: z
      .boolean()
      .optional()
      .describe('Whether the checkout offers it. Default: the setting of the account.'),
    bankStatementDescription: unicodeText.optional(),
    serviceFee: serviceFee.optional(),
    createdAt: utcInstant.optional(),
    status: linkStatus.default('unused'),
    paidBy: paymentMethod.optional(),
    paidAt: utcInstant.optional(),
    dispute: disputeState.optional(),
    refund: SeedRefundSchema.optional(),
  } satisfies SchemasOf<Described>)
  .superRefine((link, { addIssue }) => {
    const refuse = (path: string[], message: string): void =>
      addIssue({ code: 'custom', input: link, path, message })

    for (const field of ['paidBy', 'paidAt', 'dispute', 'refund'] as const) {
      if (link[field] !== undefined && link.status !== 'paid') {
        refuse(
          [field],
          `only a paid link has this field, and this link is ${link.status}. Set status to paid`,
        )
      }
    }
    if (link.kind === 'split' && link.recipients.length === 0) {
      refuse(['recipients'], 'a split link has at least one')
    }
    if (link.kind === 'basic' && link.recipients.length > 0) {
      refuse(['recipients'], 'a basic link has none. Set kind to split, or leave it out')
    }
    if (link.status === 'cancelled' && link.cancellable === false) {
      refuse(['status'], 'a link that is not cancellable cannot be cancelled')
    }
    const { amount: refunded = link.amount, full } = link.refund ?? {}
    if (refunded > link.amount) refuse(['refund', 'amount'], 'should be at most the amount of the link')
    if (full === true && refunded !== link.amount) {
      refuse(['refund', 'full'], 'a full refund is of the amount of the link')
    }
  })
  .meta({ id: 'SeedLink' })
