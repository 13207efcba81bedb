import { z } from 'zod'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { browser, paymentMethod } from '../../contract/schemas/link.ts'
import { describeOutcome, linkLine } from '../describe.ts'
import { link } from '../input-fields.ts'
import { createTool } from '../tool.ts'

export const customerActionTool = createTool({
  name: 'customer_action',
  title: 'Pay, cancel or decline',
  description:
    'Does what the customer does on the checkout page: pays a payment link, cancels it, or has the card declined. Answers with the webhooks once they are sent.',
  input: z.strictObject({
    link,
    action: z.enum(['pay', 'cancel', 'decline']),
    method: paymentMethod.optional().meta({
      description: 'For pay: card by default. A bank transfer then awaits operator_decision.',
    }),
    browser: browser.optional(),
  }),
  effect: { kind: 'changes', reachesApp: true },
  async run({ link: ref, action, method, browser: afterwards }, { sandbox, inspector }) {
    if (action === 'decline') {
      const declined = await sandbox.decline(ref)
      return {
        lines: ['The bank declined the card. The link can still be paid.', linkLine(declined)],
        inspector: inspector.payment(declined),
      }
    }
    const options = omitUndefined({ browser: afterwards })
    const outcome =
      action === 'pay'
        ? await sandbox.pay(ref, { ...options, ...omitUndefined({ method }) })
        : await sandbox.cancel(ref, options)
    return describeOutcome(outcome, inspector)
  },
})
