import { z } from 'zod'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { accountSettings } from '../account-settings.ts'
import { accountLines, accountTexts } from '../describe.ts'
import { createAction } from '../tool.ts'

export const createAccountAction = createAction({
  description:
    'Creates an account with its own API key. Events, behaviors and faults of accounts are separate, so use one account for each test or app.',
  input: z.strictObject(accountSettings),
  effect: { kind: 'adds' },
  async run(settings, { sandbox, inspector }) {
    const account = await sandbox.createAccount(omitUndefined(settings))
    return {
      lines: accountLines(account),
      inspector: inspector.account(account.id),
      untrusted: accountTexts(account),
    }
  },
})
