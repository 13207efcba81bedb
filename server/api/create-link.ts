import { z } from 'zod'
import { createLink } from '../operations/create-link.ts'
import { endpoint } from './endpoint.ts'
import { boolean, optionalText } from './fields.ts'
import { linkFields, orderOf } from './link-fields.ts'
import { presentLink } from './present-link.ts'

const Body = z.object({
  ...linkFields,
  bank_transfer: z
    .union([boolean('bank_transfer'), z.enum(['true', 'false'])], {
      error: 'bank_transfer should be true or false',
    })
    .nullish()
    .transform((value) => value === true || value === 'true'),
  bank_statement_description: optionalText('bank_statement_description'),
})

const FIELDS = { numbers: ['amount'], booleans: ['cancellable', 'is_qr_link', 'bank_transfer'] }

export const createLinkEndpoint = endpoint(Body, FIELDS, async ({ work, caller, baseUrl }, body) => {
  const link = await createLink(work, caller, {
    ...orderOf(body),
    bankTransfer: body.bank_transfer,
    bankStatementDescription: body.bank_statement_description,
  })
  caller.inForce.assume('linkFields', 'linkId')
  return { message: 'Link has been created successfully', data: presentLink(link, baseUrl), link }
})
