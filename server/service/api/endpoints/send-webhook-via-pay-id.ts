import { MAX_RESENT_PAY_IDS } from '../../../domain/links/limits.ts'
import { z } from 'zod'
import { truncate } from '../../../domain/text/truncate.ts'
import { apiError, errorDetails } from '../../../domain/api/api-error.ts'
import { sendWebhookViaPayId } from '../../operations/webhooks/send-webhook-via-pay-id.ts'
import { defineEndpoint } from '../endpoint.ts'
import { assume } from '../assumed.ts'
import { entries, text, type WrongValue } from '../fields.ts'

const refuseStatus = ({ input }: WrongValue): never => {
  throw input == null ? apiError('missing', 'status') : apiError('wrongType', 'status', 'Success or cancel')
}

const Body = z.object({
  /** A list in the same notation as `callback_url` and `payment_endpoint`. */
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
        'The outcome to send: `Success`, or `cancel` for a cancelled payment. `resendStatus` decides about other texts.',
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

  async answer({ work, caller }, { pay_ids: payIds, status }) {
    const [first] = await sendWebhookViaPayId(work, caller, payIds, status)
    return first && payIds.length === 1 ? { link: { id: first.linkId, payId: first.payId } } : {}
  },
})
