import { z } from 'zod'
import { excerpt } from '../domain/excerpt.ts'
import { wording } from '../domain/refusals.ts'
import type { Outcome } from '../domain/webhook.ts'
import { sendWebhookViaPayId } from '../operations/send-webhook-via-pay-id.ts'
import { endpoint } from './endpoint.ts'
import { text } from './fields.ts'

const PAY_ID = /^[1-9]\d{0,15}$/

/** The reference shows no limit. Each id is at least one POST. */
const MOST_IDS = 1000

const Body = z.object({
  pay_ids: text('pay_ids')
    .transform((ids) => ids.split(',').map((entry) => entry.trim()))
    .superRefine((ids, context) => {
      if (ids.every((entry) => entry === '')) context.addIssue(wording.missing('pay_ids'))
      if (ids.length > MOST_IDS) context.addIssue(wording.tooManyEntries('pay_ids', MOST_IDS))
      const invalid = ids.find((entry) => !PAY_ID.test(entry))
      if (invalid !== undefined) context.addIssue(wording.payIdInvalid(excerpt(invalid, 40)))
    })
    .transform((ids) => ids.map(Number))
    .meta({
      description: 'The payments to tell of, with commas between them.',
      examples: ['1001', '1001,1002'],
    }),
  /** Both spellings are taken, whichever one is sent out. */
  status: z
    .enum(['Success', 'success', 'cancel'], {
      error: ({ input }) =>
        input == null || input === ''
          ? wording.missing('status')
          : wording.wrongType('status', 'Success or cancel'),
    })
    .transform((status): Outcome => (status === 'cancel' ? status : 'Success'))
    .meta({
      description: 'What to tell: that the payment succeeded, or that it was cancelled.',
      examples: ['Success'],
    }),
})

export const sendWebhookViaPayIdEndpoint = endpoint({
  summary: 'Send webhooks again',
  description:
    'Sends the webhook of payments once more, to each target of each. One id that cannot be served refuses them all.',
  body: Body,
  fields: { numbers: [], booleans: [] },
  message: 'Webhook has been sent successfully',
  answers: {},
  refusals: {
    'not-found': [wording.linkUnknown],
    conflict: [wording.resendUnpaid(1001), wording.noTarget(1001)],
  },
  assumes: [
    'resendAnswer',
    'resendUnpaid',
    'repeatedEntries',
    'statusText',
    'webhookEncoding',
    'amountText',
    'retries',
    'payId',
  ],

  async answer({ work, caller }, { pay_ids: payIds, status }) {
    const [first] = await sendWebhookViaPayId(work, caller, payIds, status)
    return first && payIds.length === 1 ? { link: { id: first.linkId, payId: first.payId } } : {}
  },
})
