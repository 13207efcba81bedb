import type { FaultView } from '../../contract/views.ts'
import { faultPoints } from '../../domain/faults/fault.ts'
import { operations } from '../../domain/api/operations.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { plural } from '../../contract/format/values.ts'
import { connect } from '../connect.ts'
import { type CommandIo, print } from '../io.ts'
import { readAction } from '../read-action.ts'
import { oneOf, readArguments, wholeNumber } from '../read-arguments.ts'

/** Lists faults, adds one, or removes one or all. */
export async function faults(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands: given } = readArguments('faults', args)
  const { action, operands } = readAction('faults', given)
  const operation = oneOf('operation', flags.operation, operations)
  const seed = wholeNumber('seed', flags.seed, 0)
  const times = flags.times === 'always' ? ('always' as const) : wholeNumber('times', flags.times, 1)
  const probability = readProbability(flags.probability)
  const on = action === 'add' ? oneOf('<on>', operands[0], faultPoints) : undefined
  const id = action === 'remove' ? wholeNumber('<id>', operands[0], 1) : undefined
  const { target } = flags
  const sandbox = await connect(flags, io)
  const { faults: handle } = flags.account === undefined ? sandbox : await sandbox.account(flags.account)

  if (on !== undefined) {
    const added = await handle.add({
      on,
      script: operands[1]!,
      ...(operation !== undefined && { operation }),
      ...(target !== undefined && { target }),
      ...(times !== undefined && { times }),
      ...(probability !== undefined && { probability }),
      ...(seed !== undefined && { seed }),
    })
    print(io, flags.json, added, () => line(added))
  } else if (id !== undefined) {
    await handle.remove(id)
    print(io, flags.json, { removed: id }, () => `Fault ${id} was removed`)
  } else if (action === 'clear') {
    await handle.clear()
    print(io, flags.json, { cleared: true }, () => 'All faults were removed')
  } else {
    const all = await handle.list()
    print(io, flags.json, all, () => all.map(line).join('\n') || 'There are no faults')
  }
  return 0
}

const line = ({ id, on, script, triggered }: FaultView): string =>
  `Fault ${id}  ${on}  ${script.join(',')}  ${triggered === 0 ? 'not triggered yet' : `triggered ${plural(triggered, 'time')}`}`

function readProbability(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const probability = Number(value)
  if (probability > 0 && probability <= 1) return probability
  throw new UsageError(`--probability is ${value}. It must be a number above 0, and at most 1.`)
}
