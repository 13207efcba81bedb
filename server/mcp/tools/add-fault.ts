import { z } from 'zod'
import type { FaultOptions } from '../../client/faults.ts'
import { FaultBody } from '../../contract/schemas/fault-body.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { faultLine, faultTexts } from '../describe.ts'
import { findSandboxAccount } from '../find-account.ts'
import { onlyAccount } from '../input-fields.ts'
import { createAction } from '../tool.ts'

export const addFaultAction = createAction({
  description:
    'Makes the next calls, webhooks or redirects fail, one step of the script for each. remove_faults removes the fault.',
  input: z.strictObject({ ...FaultBody.shape, account: onlyAccount }),
  effect: { kind: 'adds' },
  async run({ account, ...fault }, { sandbox, inspector }) {
    const { faults } = account === undefined ? sandbox : await findSandboxAccount(sandbox, account)
    const added = await faults.add(omitUndefined(fault) as FaultOptions)
    return {
      lines: [faultLine(added)],
      inspector: inspector.screen('test/faults'),
      untrusted: faultTexts(added),
    }
  },
})
