import { z } from 'zod'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { accountSettings } from '../account-settings.ts'
import { accountLines, accountTexts } from '../describe.ts'
import { ToolError } from '../explain-failure.ts'
import { findSandboxAccount } from '../find-account.ts'
import { account } from '../input-fields.ts'
import { createAction } from '../tool.ts'

export const changeAccountAction = createAction({
  description:
    'Changes settings of an account. Set paymentEndpoint to the address where the app receives webhooks. Links without their own payment_endpoint use it, even existing links.',
  input: z.strictObject({ account, ...accountSettings }),
  effect: { kind: 'changes', isIdempotent: true },
  async run({ account: idOrName, ...settings }, { sandbox, inspector }) {
    const changes = omitUndefined(settings)
    if (Object.keys(changes).length === 0) {
      throw new ToolError(`No setting was passed. Pass one of ${Object.keys(accountSettings).join(', ')}.`)
    }
    const changed = await (await findSandboxAccount(sandbox, idOrName)).change(changes)
    return {
      lines: accountLines(changed),
      inspector: inspector.account(changed.id),
      untrusted: accountTexts(changed),
    }
  },
})
