import { splitTypes } from '../../domain/money/split.ts'
import { z } from 'zod'
import type { LinkFields } from '../../client/create-link.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { linkLine, linkTexts } from '../describe.ts'
import { findSandboxAccount } from '../find-account.ts'
import { account } from '../input-fields.ts'
import { createTool } from '../tool.ts'

/** The emulated API validates the values, as it does for a call of the app. */
const linkFields = {
  amount: z.number().meta({ description: 'In euros, such as 12.5.' }),
  recipients: z
    .array(z.strictObject({ token: z.string(), share: z.number() }))
    .optional()
    .meta({
      description:
        'Creates a split link: recipient tokens of other accounts, each with its share in percent, or in euros if splitType is absolute.',
    }),
  splitType: z.enum(splitTypes).optional(),
  note: z.string().optional().meta({ description: 'Such as an order number. The webhook contains it.' }),
  callbackUrl: z
    .string()
    .optional()
    .meta({ description: 'Where the browser is redirected after the payment.' }),
  paymentEndpoint: z
    .string()
    .optional()
    .meta({ description: "Where the webhook is sent, instead of the account's payment endpoint." }),
  cancellable: z.boolean().optional(),
  bankTransfer: z.boolean().optional().meta({ description: 'Offers bank transfer. Not for a split link.' }),
} satisfies { readonly [Name in keyof LinkFields]: z.ZodType }

export const createLinkTool = createTool({
  name: 'create_link',
  title: 'Create a payment link',
  description:
    'Creates a payment link with the API call that an app makes: createLink or createSplitLink. To pay it, use the tool payment.',
  input: z.strictObject({ ...linkFields, account }),
  effect: { kind: 'adds' },
  async run({ account: owner, ...fields }, { sandbox, inspector }) {
    const { createLink } = await findSandboxAccount(sandbox, owner)
    const link = await createLink(omitUndefined(fields) as LinkFields)
    return {
      lines: [
        linkLine(link),
        `Pay link: ${link.payLink}`,
        ...(link.targets.length === 0
          ? ['It has no webhook target: neither the link nor its account has a payment endpoint.']
          : []),
      ],
      inspector: inspector.payment(link),
      untrusted: linkTexts(link),
    }
  },
})
