import { z } from 'zod'
import type { BehaviorChanges } from '../../client/behaviors.ts'
import { behaviorNames, describeOptions } from '../../domain/behaviors/behavior.ts'
import { openPoints } from '../../domain/behaviors/open-points.ts'
import { findSandboxAccount } from '../find-account.ts'
import { onlyAccount } from '../input-fields.ts'
import { createAction, type ToolContext } from '../tool.ts'

export const setBehaviorsAction = createAction({
  description:
    'Sets how the sandbox behaves where the API reference is silent, such as {"payId": "distinct"}. null restores the default. Without values, it lists every behavior with its options, and whether calibrate found the same in the real service.',
  input: z.strictObject({
    values: z.record(z.string(), z.union([z.string(), z.null()])).default({}),
    account: onlyAccount,
  }),
  effect: { kind: 'changes', isIdempotent: true },
  async run({ values, account }, { sandbox, inspector, readText }) {
    const sandboxAccount = account === undefined ? undefined : await findSandboxAccount(sandbox, account)
    const { behaviors } = sandboxAccount ?? sandbox
    const isChange = Object.keys(values).length > 0
    const active = isChange ? await behaviors.set(values as BehaviorChanges) : await behaviors.read()
    const service = isChange ? {} : await readComparisons(readText, sandboxAccount?.id)
    const shown = isChange ? behaviorNames.filter((name) => Object.hasOwn(values, name)) : behaviorNames
    return {
      lines: shown.map((name) =>
        isChange
          ? `${name}=${active[name]}: ${openPoints[name].assumption}`
          : `${name}=${active[name]}, options: ${describeOptions(name)}. Left open by the reference: ${openPoints[name].reference}${service[name] ?? ''}`,
      ),
      inspector: inspector.screen('sandbox'),
    }
  },
})

/** What `calibrate` has found out about the real service, by behavior. Leaves out behaviors that were not compared. */
async function readComparisons(
  readText: ToolContext['readText'],
  accountId: string | undefined,
): Promise<Readonly<Record<string, string>>> {
  const query = accountId === undefined ? '' : `?account=${accountId}`
  const { behaviors } = JSON.parse(await readText(`/_sandbox/v1/behaviors${query}`)) as BehaviorList
  return Object.fromEntries(
    behaviors.flatMap(({ name, service }) =>
      service === null
        ? []
        : [[name, ` The real service: ${service.same ? 'the same' : 'different'} on ${service.on}.`]],
    ),
  )
}

interface BehaviorList {
  readonly behaviors: readonly {
    readonly name: string
    readonly service: { readonly same: boolean; readonly on: string } | null
  }[]
}
