import { splitPayment, splitTypes } from '../../../domain/money/split.ts'
import { isRecord } from '../../../domain/text/is-object.ts'
import { truncate } from '../../../domain/text/truncate.ts'
import { MAX_RECIPIENTS } from '../../../domain/links/limits.ts'
import { z } from 'zod'
import { refuse } from '../refuse.ts'
import { apiError, errorDetails } from '../../../domain/api/api-error.ts'
import type { Link, Recipient } from '../../../domain/links/link.ts'
import * as accounts from '../../../store/repositories/accounts.ts'
import { insertLink } from '../../operations/links/insert-link.ts'
import { defineEndpoint, type EndpointRequest } from '../endpoint.ts'
import { assume } from '../assumed.ts'
import { number, positionOf, text, withDefault, type WrongValue } from '../fields.ts'
import { linkAssumptions, linkFields, linkErrors, toLinkRequest } from './link-fields.ts'
import { SplitLinkData, toSplitLinkData } from './link-view.ts'

const { amount, ...otherFields } = linkFields

const refuseRecipient = (value: WrongValue): never => {
  throw apiError('wrongType', `recipients[${positionOf(value)}]`, 'an object with token and share')
}

/** A missing token gets the same response as an unknown token. */
const refuseRecipientToken = (value: WrongValue): never => {
  throw value.input == null
    ? apiError('recipientUnknown', positionOf(value))
    : apiError('wrongType', `recipients[${positionOf(value)}].token`, 'a string')
}

/**
 * Explains that a list was expected. A list whose indexes have gaps arrives as an object, both from forms and from the JSON
 * that PHP writes.
 */
function expectedList(value: unknown): string {
  const keys = isRecord(value) ? Object.keys(value) : []
  const areIndexes = keys.every((key) => /^\d+$/.test(key))
  return areIndexes && keys.some((key, index) => key !== String(index))
    ? `an array with the indexes 0, 1, 2 and so on, not ${truncate(keys.join(', '), 40)}`
    : 'an array'
}

/** Fields are checked in this sequence, so it decides which error comes first. */
const Body = z.object({
  amount,
  recipients: z
    .array(
      z.object(
        {
          token: text('recipients[].token', refuseRecipientToken).meta({
            description: 'The recipient token of another account.',
            examples: ['rcpBikeCourierFakeToken0002'],
          }),
          share: number('recipients[].share')
            .meta({
              description:
                'The share in percent of the amount, or in euros if `split_type` is `absolute`. In euros it has at most two decimals.',
              // Only for the document. The code checks it later, because the message contains the position of the recipient.
              exclusiveMinimum: 0,
              examples: [30],
            })
            .apply(assume, 'amountDecimals', 'description'),
        },
        { error: refuseRecipient },
      ),
      {
        error: ({ input }): never => {
          throw input == null
            ? apiError('missing', 'recipients')
            : apiError('wrongType', 'recipients', expectedList(input))
        },
      },
    )
    .min(1, { error: refuse('missing', 'recipients') })
    .max(MAX_RECIPIENTS, { error: refuse('tooManyEntries', 'recipients', MAX_RECIPIENTS) })
    .meta({
      description:
        'The recipients of shares. The owner of the link gets the rest, and cannot be a recipient. The sum of the shares is at most the whole amount.',
    })
    .apply(assume, 'ownWording', 'minItems')
    .apply(assume, 'repeatedEntries', 'maxItems'),
  split_type: withDefault(
    z.enum(splitTypes, { error: refuse('wrongType', 'split_type', splitTypes.join(' or ')) }),
    'normal' as const,
  ).meta({
    description: '`normal`: shares are in percent. `absolute`: shares are in euros.',
    examples: ['normal'],
  }),
  ...otherFields,
})

export const createSplitLinkEndpoint = defineEndpoint({
  summary: 'Create a split link',
  description:
    'Creates a payment link whose amount is split among recipients, which are other accounts. The account gets the rest. Send `pay_link` to the customer.',
  body: Body,
  fieldTypes: { numbers: ['amount', 'recipients.*.share'], booleans: ['cancellable', 'is_qr_link'] },
  message: 'Link has been created successfully',
  resultFields: { data: SplitLinkData },
  errors: [
    errorDetails('recipientUnknown', 0),
    errorDetails('recipientIsOwner', 0),
    errorDetails('shareNotPositive', 0),
    errorDetails('percentagesExceed'),
    errorDetails('sharesExceed', 50.5),
    errorDetails('shareDecimals', 0),
    ...linkErrors,
  ],
  assumptions: ['shareRounding', 'payoutFees', ...linkAssumptions],

  async answer(request, body) {
    const link = await createSplitLink(request, body)
    request.caller.behaviors.markAssumptions('linkFields', 'linkId', 'serverTime')
    return { data: toSplitLinkData(link, request.baseUrl), link, created: link }
  },
})

/** Creates a link whose payment is divided among recipients. */
async function createSplitLink(
  { work, caller }: EndpointRequest,
  body: z.output<typeof Body>,
): Promise<Link> {
  const { account, behaviors } = caller
  const { split_type: splitType, recipients: shares } = body
  const known = await accounts.withRecipientTokens(
    work.db,
    shares.map(({ token }) => token),
  )
  const parties = shares.map(({ token, share }, index) => {
    const party = known.get(token)
    // The service does not know tokens of a different environment.
    if (party?.environment !== 'development') throw apiError('recipientUnknown', index)
    if (party.id === account.id) throw apiError('recipientIsOwner', index)
    if (share <= 0) throw apiError('shareNotPositive', index)
    return party
  })

  if (known.size < shares.length) behaviors.markAssumptions('repeatedEntries')
  if (splitType === 'normal') behaviors.markAssumptions('shareRounding')
  const payout = splitPayment(
    body.amount,
    splitType,
    shares.map(({ share }) => share),
  )
  behaviors.markAssumptions('payoutFees')
  const recipients = shares.map(({ token, share }, index): Recipient => ({
    accountId: parties[index]!.id,
    token,
    share,
    amount: payout.recipients[index]!,
  }))
  return insertLink(work, caller, toLinkRequest(body), {
    kind: 'split',
    splitType,
    recipients,
    bankTransfer: account.bankTransfer,
    bankStatementDescription: '',
  })
}
