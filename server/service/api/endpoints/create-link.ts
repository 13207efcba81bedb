import { z } from 'zod'
import { refuse } from '../refuse.ts'
import { insertLink } from '../../operations/links/insert-link.ts'
import { defineEndpoint } from '../endpoint.ts'
import { assume, assumeFields } from '../assumed.ts'
import { optional, optionalText } from '../fields.ts'
import { linkAssumptions, linkFields, linkErrors, toLinkRequest } from './link-fields.ts'
import { BasicLinkData, toBasicLinkData } from './link-view.ts'

const { amount, ...otherFields } = linkFields

/** The reference shows no field except `amount`. */
const Body = z.object({
  amount: amount.apply(assume, 'createLink', 'required', 'exclusiveMinimum'),
  ...assumeFields(
    {
      ...otherFields,
      bank_transfer: optional(
        // The error belongs to the whole union. The error of one of its options would be reported too early, before zod checks
        // the fields above.
        z.union([z.boolean(), z.enum(['true', 'false'])], {
          error: refuse('wrongType', 'bank_transfer', 'true or false'),
        }),
        false,
      )
        .transform((value) => value === true || value === 'true')
        .meta({
          description: 'Whether the checkout offers bank transfer, even if the account does not.',
          default: false,
          examples: [true],
        }),
      bank_statement_description: optionalText('bank_statement_description').meta({
        description: "Text for the customer's bank statement.",
        examples: ['SHOP 7'],
      }),
    },
    'createLink',
  ),
})

export const createLinkEndpoint = defineEndpoint({
  summary: 'Create a link',
  description:
    'Creates a payment link whose whole amount goes to the account. Send `pay_link` to the customer.',
  body: Body,
  fieldTypes: {
    numbers: ['amount'],
    booleans: ['cancellable', 'is_qr_link'],
    booleansOrText: ['bank_transfer'],
  },
  message: 'Link has been created successfully',
  assumesMessage: 'createLink',
  resultFields: { data: BasicLinkData },
  errors: linkErrors,
  assumptions: ['createLink', ...linkAssumptions],

  async answer({ work, caller, baseUrl }, body) {
    const { account, behaviors } = caller
    behaviors.markAssumptions('createLink')
    const link = await insertLink(work, caller, toLinkRequest(body), {
      kind: 'basic',
      splitType: 'normal',
      recipients: [],
      bankTransfer: body.bank_transfer || account.bankTransfer,
      bankStatementDescription: body.bank_statement_description,
    })
    behaviors.markAssumptions('linkFields', 'linkId', 'serverTime')
    return { data: toBasicLinkData(link, baseUrl), link, created: link }
  },
})
