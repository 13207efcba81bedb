import { z } from 'zod'
import { wording } from '../domain/refusals.ts'
import { createSplitLink } from '../operations/create-split-link.ts'
import { endpoint } from './endpoint.ts'
import { number, text } from './fields.ts'
import { linkFields, orderOf } from './link-fields.ts'
import { presentLink } from './present-link.ts'

const SPLIT_TYPES = ['normal', 'absolute'] as const

/** The reference shows no limit. */
const MOST_RECIPIENTS = 1000

const { amount, ...otherFields } = linkFields

/** In the order in which the first thing wrong is named. */
const Body = z.object({
  amount,
  recipients: z
    .array(
      z.object(
        { token: text('recipients[].token'), share: number('recipients[].share') },
        { error: wording.wrongType('recipients[]', 'an object with token and share') },
      ),
      {
        error: ({ input }) =>
          input == null ? wording.missing('recipients') : wording.wrongType('recipients', 'an array'),
      },
    )
    .min(1, { error: wording.missing('recipients') })
    .max(MOST_RECIPIENTS, { error: wording.tooManyEntries('recipients', MOST_RECIPIENTS) }),
  split_type: z
    .enum(SPLIT_TYPES, { error: wording.wrongType('split_type', SPLIT_TYPES.join(' or ')) })
    .nullish()
    .transform((value) => value ?? 'normal'),
  ...otherFields,
})

const FIELDS = { numbers: ['amount', 'recipients.*.share'], booleans: ['cancellable', 'is_qr_link'] }

export const createSplitLinkEndpoint = endpoint(Body, FIELDS, async ({ work, caller, baseUrl }, body) => {
  const link = await createSplitLink(work, caller, {
    ...orderOf(body),
    splitType: body.split_type,
    shares: body.recipients,
  })
  caller.inForce.assume('linkFields', 'linkId')
  return { message: 'Link has been created successfully', data: presentLink(link, baseUrl), link }
})
