import { z } from 'zod'
import { issue } from '../issue.ts'
import { createLink } from '../../operations/links/create-link.ts'
import { createEndpoint } from '../endpoint.ts'
import { boolean, optionalText } from '../fields.ts'
import { linkAssumptions, linkFields, linkErrors, toLinkRequest } from './link-fields.ts'
import { LinkData, toLinkData } from './link-view.ts'

const Body = z.object({
  ...linkFields,
  bank_transfer: z
    .union([boolean('bank_transfer'), z.enum(['true', 'false'])], {
      error: issue('wrongType', 'bank_transfer', 'true or false'),
    })
    .nullish()
    .transform((value) => value === true || value === 'true')
    .meta({
      description: 'Whether the checkout offers bank transfer, even if the account does not.',
      examples: [true],
    }),
  bank_statement_description: optionalText('bank_statement_description').meta({
    description: "Text for the customer's bank statement.",
    examples: ['SHOP 7'],
  }),
})

export const createLinkEndpoint = createEndpoint({
  summary: 'Create a link',
  description:
    'Creates a payment link whose whole amount goes to the account. Send `pay_link` to the customer.',
  body: Body,
  fields: { numbers: ['amount'], booleans: ['cancellable', 'is_qr_link', 'bank_transfer'] },
  message: 'Link has been created successfully',
  resultFields: { data: LinkData },
  errors: linkErrors,
  assumptions: ['createLink', ...linkAssumptions],

  async answer({ work, caller, baseUrl }, body) {
    const link = await createLink(work, caller, {
      bankTransfer: body.bank_transfer,
      bankStatementDescription: body.bank_statement_description,
      ...toLinkRequest(body),
    })
    caller.behaviors.markAssumptions('linkFields', 'linkId', 'serverTime')
    return { data: toLinkData(link, baseUrl), link, created: link }
  },
})
