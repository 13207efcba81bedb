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
    .transform((ids) => ids.map(Number)),
  status: text('status')
    .refine((status) => outcomeOf(status) !== undefined, {
      error: ({ input }) =>
        input === '' ? wording.missing('status') : wording.wrongType('status', 'Success or cancel'),
    })
    .transform((status) => outcomeOf(status)!),
})

const FIELDS = { numbers: [], booleans: [] }

export const sendWebhookViaPayIdEndpoint = endpoint(Body, FIELDS, async ({ work, caller }, body) => {
  const [first] = await sendWebhookViaPayId(work, caller, body.pay_ids, body.status)
  return {
    message: 'Webhook has been sent successfully',
    ...(first && body.pay_ids.length === 1 ? { link: { id: first.linkId, payId: first.payId } } : {}),
  }
})

/** Both spellings are taken, whichever one is sent out. */
function outcomeOf(status: string): Outcome | undefined {
  if (status === 'Success' || status === 'success') return 'Success'
  return status === 'cancel' ? 'cancel' : undefined
}
