import { z } from 'zod'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { browser, paymentMethod } from '../../contract/schemas/link.ts'
import { describeOutcome, linkLine } from '../describe.ts'
import { link } from '../input-fields.ts'
import { createAction } from '../tool.ts'

const effect = { kind: 'changes', reachesApp: true } as const

/** What the customer does on the checkout page. */
export const customerActions = {
  pay: createAction({
    description: 'Pays the link as the customer. Answers once its webhooks are sent.',
    input: z.strictObject({
      link,
      method: paymentMethod.optional().meta({
        description: 'card by default. A bank transfer then awaits approve_transfer.',
      }),
      browser: browser.optional(),
    }),
    effect,
    run: async ({ link: ref, ...options }, { sandbox, inspector }) =>
      describeOutcome(await sandbox.pay(ref, omitUndefined(options)), inspector),
  }),
  cancel: createAction({
    description: 'Cancels the payment as the customer.',
    input: z.strictObject({ link, browser: browser.optional() }),
    effect,
    run: async ({ link: ref, ...options }, { sandbox, inspector }) =>
      describeOutcome(await sandbox.cancel(ref, omitUndefined(options)), inspector),
  }),
  decline: createAction({
    description: 'Lets the bank decline the card.',
    input: z.strictObject({ link }),
    effect,
    async run({ link: ref }, { sandbox, inspector }) {
      const declined = await sandbox.decline(ref)
      return {
        lines: ['The bank declined the card. The link can still be paid.', linkLine(declined)],
        inspector: inspector.payment(declined),
      }
    },
  }),
}
