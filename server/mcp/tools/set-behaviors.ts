import { z } from 'zod'
import type { BehaviorChanges } from '../../client/behaviors.ts'
import { behaviorNames, describeOptions } from '../../domain/behaviors/behavior.ts'
import { openPoints } from '../../domain/behaviors/open-points.ts'
import { findAccount } from '../find-account.ts'
import { onlyAccount } from '../input-fields.ts'
import { createTool } from '../tool.ts'

export const setBehaviorsTool = createTool({
  name: 'set_behaviors',
  title: 'List or set behaviors',
  description:
    'Sets how the sandbox behaves where the API reference is silent, such as {"payId": "distinct"}. null restores the default. Without values, it lists every behavior with its options.',
  input: z.strictObject({
    values: z.record(z.string(), z.union([z.string(), z.null()])).default({}),
    account: onlyAccount,
  }),
  async run({ values, account }, { sandbox, inspector }) {
    const { behaviors } = account === undefined ? sandbox : await findAccount(sandbox, account)
    const isChange = Object.keys(values).length > 0
    const active = isChange ? await behaviors.set(values as BehaviorChanges) : await behaviors.read()
    const shown = isChange ? behaviorNames.filter((name) => Object.hasOwn(values, name)) : behaviorNames
    return {
      lines: shown.map((name) =>
        isChange
          ? `${name}=${active[name]}: ${openPoints[name].assumption}`
          : `${name}=${active[name]}, options: ${describeOptions(name)}. The reference: ${openPoints[name].reference}`,
      ),
      inspector: inspector.screen('sandbox'),
    }
  },
})
