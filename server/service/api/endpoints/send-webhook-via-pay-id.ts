import { MAX_RESENT_PAY_IDS } from '../../../domain/links/limits.ts'
import { z } from 'zod'
import { truncate } from '../../../domain/text/truncate.ts'
import { apiError, errorDetails } from '../../../domain/api/api-error.ts'
import type { ActiveBehaviors } from '../../../domain/behaviors/behavior.ts'
import type { Link } from '../../../domain/links/link.ts'
import { readStatus, type PaymentOutcome } from '../../../domain/webhooks/webhook.ts'
import * as links from '../../../store/repositories/links.ts'
import { enqueueWebhooks } from '../../operations/webhooks/enqueue-webhooks.ts'
import { defineEndpoint } from '../endpoint.ts'
import { assume } from '../assumed.ts'
import { entries, text, type WrongValue } from '../fields.ts'

const refuseStatus = ({ input }: WrongValue): never => {
  throw input == null ? apiError('missing', 'status') : apiError('wrongType', 'status', 'Success or cancel')
}

const Body = z.object({
  /** A list with commas, like `callback_url` and `payment_endpoint`. */
  pay_ids: entries('pay_ids')
    .transform((given) => given.split(',').map((entry) => entry.trim()))
    .superRefine((given) => {
      if (given.every((entry) => entry === '')) throw apiError('payIdsEmpty')
      if (given.length > MAX_RESENT_PAY_IDS) throw apiError('tooManyEntries', 'pay_ids', MAX_RESENT_PAY_IDS)
      const invalid = given.find((entry) => !/^\d*$/.test(entry))
      if (invalid !== undefined) throw apiError('payIdInvalid', truncate(invalid, 40))
    })
    .transform((given) => given.filter((entry) => entry !== '').map(Number))
    .meta({
      description: 'The payments, separated by commas.',
      examples: ['1001', '1001,1002'],
    }),
  status: text('status', refuseStatus)
    .meta({
      description:
        'The outcome to send: `Success`, or `cancel` for a cancelled payment. The behavior `resendStatus` says what happens with other texts.',
      examples: ['Success', 'cancel'],
    })
    .apply(assume, 'resendStatus', 'description'),
})

export const sendWebhookViaPayIdEndpoint = defineEndpoint({
  summary: 'Send webhooks again',
  description:
    'Sends the webhooks of payments again, to all targets of each payment. One invalid id rejects the whole call.',
  body: Body,
  fieldTypes: { numbers: [], booleans: [] },
  message: 'Webhook has been sent successfully',
  assumesMessage: 'resendAnswer',
  resultFields: {},
  errors: [
    errorDetails('linkUnknown'),
    errorDetails('resendUnpaid', 1001),
    errorDetails('resendUncancelled', 1001),
    errorDetails('noTarget', 1001),
    errorDetails('wrongType', 'status', 'Success or cancel'),
  ],
  assumptions: [
    'resendAnswer',
    'resendUnpaid',
    'resendStatus',
    'repeatedEntries',
    'statusText',
    'webhookEncoding',
    'formEncoding',
    'webhookSignature',
    'amountText',
    'retries',
    'payId',
  ],

  /** If one id is invalid or the status is refused, the whole call is rejected. */
  async answer({ work, caller: { account, behaviors } }, { pay_ids: payIds, status: givenStatus }) {
    behaviors.markAssumptions('resendAnswer')
    behaviors.dependOn('payId')
    const status = readStatus(givenStatus, () => behaviors.dependOn('resendStatus'))
    if (status === undefined) throw apiError('wrongType', 'status', 'Success or cancel')
    if (new Set(payIds).size < payIds.length) behaviors.markAssumptions('repeatedEntries')
    const resent: Link[] = []
    for (const payId of payIds) {
      const link = await links.withPayId(work.db, payId)
      if (link?.accountId !== account.id || link.status === 'deleted') throw apiError('linkUnknown')
      if (typeof status === 'string') assertResendAllowed(link, status, behaviors)

      const queued = await enqueueWebhooks(work, link, status, 'resend', behaviors)
      if (queued.length === 0) throw apiError('noTarget', payId)
      resent.push(link)
    }
    const [link] = resent
    return link && resent.length === 1 ? { link: { id: link.id, payId: link.payId } } : {}
  },
})

/** If the outcome has happened, it can always be sent again. For any other status, the behavior `resendUnpaid` decides. */
function assertResendAllowed(
  { payId, status: now }: Link,
  status: PaymentOutcome,
  behaviors: ActiveBehaviors,
): void {
  const isPayment = status === 'Success'
  if (now === (isPayment ? 'paid' : 'cancelled') || behaviors.dependOn('resendUnpaid') === 'send') return
  throw apiError(isPayment ? 'resendUnpaid' : 'resendUncancelled', payId)
}
