import type { SnapshotView } from '../../contract/views.ts'
import { formatCount, formatDateTimeSeconds } from '../../contract/format/values.ts'
import { connect } from '../connect.ts'
import { type CommandIo, print } from '../io.ts'
import { readAction } from '../read-action.ts'
import { readArguments } from '../read-arguments.ts'

/** Lists snapshots, takes one, or restores one. */
export async function snapshot(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands: given } = readArguments('snapshot', args)
  const { action, operands } = readAction('snapshot', given)
  const sandbox = await connect(flags, io)
  const name = operands[0]!

  if (action === 'list') {
    const all = await sandbox.snapshots()
    print(io, flags.json, all, () => all.map(line).join('\n') || 'No snapshot was taken')
  } else if (action === 'take') {
    const taken = await sandbox.snapshot(name, { replace: flags.replace })
    print(io, flags.json, taken, () => `Snapshot ${taken.name} was taken`)
  } else {
    await sandbox.restore(name)
    print(io, flags.json, { restored: name }, () => `Snapshot ${name} was restored`)
  }
  return 0
}

const line = ({ name, takenAt, size, problem }: SnapshotView): string =>
  `${name}  ${takenAt === null ? 'unknown time' : formatDateTimeSeconds(takenAt, true)}  ${formatCount(Math.ceil(size / 1024))} KiB${problem === null ? '' : `  cannot be restored: ${problem}`}`
