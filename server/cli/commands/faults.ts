import type { FaultView } from '../../contract/views.ts'
import { faultPoints } from '../../domain/faults/fault.ts'
import { operations } from '../../domain/api/operations.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { times } from '../../contract/format/values.ts'
import type { Sandbox } from '../../client/connect-sandbox.ts'
import { command } from '../command.ts'
import { connectionFlags } from '../shared-flags.ts'
import { connect } from '../connect.ts'
import { print } from '../io.ts'
import { oneOf, readWholeNumber } from '../read-values.ts'

export const faults = command({
  text: 'make calls, webhooks or redirects fail, to see how your app copes',
  actions: {
    list: { operands: [], text: 'list faults; the default' },
    add: {
      operands: ['<on>', '<script>'],
      text: 'make calls (api), webhooks or redirects fail; the script has a step for each, like 500,reset,pass',
    },
    remove: { operands: ['<id>'], text: 'remove one fault' },
    clear: { operands: [], text: 'remove all faults' },
  },
  flags: {
    operation: { kind: 'text', value: '<name>', text: 'only calls of this operation' },
    target: { kind: 'text', value: '<url>', text: 'only webhooks whose target begins with this text' },
    account: { kind: 'text', value: '<id|name>', text: 'only for this account' },
    times: { kind: 'text', value: '<n>', text: 'number of times that the script runs, or always (1)' },
    probability: {
      kind: 'text',
      value: '<p>',
      text: 'probability that a step has its effect, above 0 and at most 1 (1)',
    },
    seed: {
      kind: 'text',
      value: '<n>',
      text: 'seed of the random choice; the same seed makes the same choices',
    },
    ...connectionFlags,
  },
  examples: ['faults add api 500,reset,pass --operation createSplitLink', 'faults add webhook duplicate:2'],
  async run({ flags, action, operands }, io) {
    const operation = oneOf('operation', flags.operation, operations)
    const seed = readWholeNumber('seed', flags.seed, 0)
    const limit = flags.times === 'always' ? ('always' as const) : readWholeNumber('times', flags.times, 1)
    const probability = readProbability(flags.probability)
    const [on, script] = action === 'add' ? [oneOf('<on>', operands[0], faultPoints)!, operands[1]] : []
    const id = action === 'remove' ? readWholeNumber('<id>', operands[0], 1) : undefined
    const { target } = flags
    const sandbox = await connect(flags, io)
    const { faults: handle } = flags.account === undefined ? sandbox : await sandbox.account(flags.account)

    if (on !== undefined && script !== undefined) {
      const added = await handle.add({
        on,
        script,
        ...(operation !== undefined && { operation }),
        ...(target !== undefined && { target }),
        ...(limit !== undefined && { times: limit }),
        ...(probability !== undefined && { probability }),
        ...(seed !== undefined && { seed }),
      })
      const names = flags.json ? undefined : await accountNames(sandbox, [added])
      print(io, flags.json, added, () => line(added, names))
    } else if (id !== undefined) {
      await handle.remove(id)
      print(io, flags.json, { removed: id }, () => `Fault ${id} was removed`)
    } else if (action === 'clear') {
      await handle.clear()
      print(io, flags.json, { cleared: true }, () => 'All faults were removed')
    } else {
      const all = await handle.list()
      const names = flags.json ? undefined : await accountNames(sandbox, all)
      print(
        io,
        flags.json,
        all,
        () => all.map((fault) => line(fault, names)).join('\n') || 'There are no faults',
      )
    }
    return 0
  },
})

type AccountNames = ReadonlyMap<string, string>

/** The names of the accounts whose faults are listed. */
async function accountNames(sandbox: Sandbox, listed: readonly FaultView[]): Promise<AccountNames> {
  if (listed.every(({ accountId }) => accountId === null)) return new Map()
  return new Map((await sandbox.accounts()).map(({ id, name }) => [id, name]))
}

function line(fault: FaultView, names: AccountNames | undefined): string {
  const { id, on, script, operation, target, accountId, remaining, triggered } = fault
  const limits = [
    ...(operation === null ? [] : [operation]),
    ...(target === null ? [] : [`to ${target}`]),
    ...(accountId === null ? [] : [`for ${names?.get(accountId) ?? accountId}`]),
  ]
  const use =
    remaining === 0 ? 'used up' : triggered === 0 ? 'not triggered yet' : `triggered ${times(triggered)}`
  return [`Fault ${id}`, on, script.join(','), ...limits, use].join('  ')
}

function readProbability(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const probability = Number(value)
  if (probability > 0 && probability <= 1) return probability
  throw new UsageError(`--probability is ${value}. It must be a number above 0, and at most 1.`)
}
