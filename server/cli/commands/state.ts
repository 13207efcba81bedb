import type { Sandbox } from '../../client/connect-sandbox.ts'
import { formatCount, formatDateTimeSeconds } from '../../contract/format/values.ts'
import type { SnapshotView } from '../../contract/views.ts'
import { SandboxError } from '../../contract/sandbox-error.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { command } from '../command.ts'
import { connect } from '../connect.ts'
import { print } from '../io.ts'
import { oneOf } from '../read-values.ts'
import { connectionFlags } from '../shared-flags.ts'

export const snapshot = command({
  text: 'save the whole state under a name, and return to it later',
  actions: {
    list: { operands: [], text: 'list snapshots; the default' },
    take: { operands: ['<name>'], text: 'save the whole state under a name' },
    restore: { operands: ['<name>'], text: 'return to the state of a snapshot' },
  },
  flags: {
    replace: { kind: 'switch', text: 'with take: replace a snapshot of the same name' },
    ...connectionFlags,
  },
  examples: ['snapshot take base', 'snapshot restore base'],
  async run({ flags, action, operands }, io) {
    const sandbox = await connect(flags, io)
    if (action === 'list') {
      const all = await sandbox.snapshots()
      print(io, flags.json, all, () => all.map(line).join('\n') || 'No snapshot was taken')
      return 0
    }
    const [name] = operands
    if (action === 'take') {
      const taken = await sandbox.snapshot(name, { replace: flags.replace }).catch((error: unknown) => {
        if (flags.replace) throw error
        return explainTakenName(error, sandbox, name)
      })
      print(io, flags.json, taken, () => `Snapshot ${taken.name} was taken`)
    } else {
      await sandbox.restore(name)
      print(io, flags.json, { restored: name }, () => `Snapshot ${name} was restored`)
    }
    return 0
  },
})

/** Replaces the error about a taken name with one that mentions a flag of this command. Rethrows any other error. */
async function explainTakenName(error: unknown, sandbox: Sandbox, name: string): Promise<never> {
  if (!(error instanceof SandboxError && error.status === 409)) throw error
  const isTaken = (await sandbox.snapshots()).some((one) => one.name === name)
  if (!isTaken) throw error
  const { message, request, status, problem } = error
  const detail = `There is already a snapshot ${name}. Add --replace, or choose another name.`
  throw new SandboxError(message, request, status, problem, { detail })
}

const line = ({ name, takenAt, size, problem }: SnapshotView): string =>
  `${name}  ${takenAt === null ? 'unknown time' : formatDateTimeSeconds(takenAt, true)}  ${formatCount(Math.ceil(size / 1024))} KiB${problem === null ? '' : `  cannot be restored: ${problem}`}`

export const sample = command({
  text: 'add the first day of a sample shop to a sandbox that has no payments',
  flags: {
    account: { kind: 'text', value: '<id|name>', text: 'the shop (the first account)' },
    ...connectionFlags,
  },
  examples: ['sample', 'sample --account "Flower Shop" --json'],
  async run({ flags }, io) {
    const sandbox = await connect(flags, io)
    const account = flags.account === undefined ? undefined : (await sandbox.account(flags.account)).id

    const story = await sandbox.loadSampleStory(account === undefined ? {} : { account })
    print(io, flags.json, story, () =>
      [
        `${story.account.name} has ${story.payments} payments now. Open the inspector: ${sandbox.url}`,
        `Undo it with: npx paylink-sandbox snapshot restore ${story.snapshot}`,
      ].join('\n'),
    )
    return 0
  },
})

export const reset = command({
  text: 'reset the sandbox to its seed, or one account to its original state',
  flags: {
    to: { kind: 'text', value: '<what>', text: 'seed, or empty to start without accounts (seed)' },
    account: { kind: 'text', value: '<id|name>', text: 'only this account' },
    ...connectionFlags,
  },
  examples: ['reset', 'reset --account "Flower Shop"'],
  async run({ flags }, io) {
    const to = oneOf('to', flags.to, ['seed', 'empty'])
    if (flags.account !== undefined && to !== undefined) {
      throw new UsageError(
        '--to and --account cannot be combined: an account is always reset to its original state. Leave one out.',
      )
    }
    const sandbox = await connect(flags, io)
    if (flags.account === undefined) {
      await sandbox.reset(to && { to })
      print(
        io,
        flags.json,
        { to: to ?? 'seed' },
        () => `The sandbox at ${sandbox.url} was reset to ${to === 'empty' ? 'no accounts' : 'its seed'}`,
      )
      return 0
    }
    const { id, name } = await (await sandbox.account(flags.account)).reset()
    print(io, flags.json, { account: { id, name } }, () => `${name} was reset to its original state`)
    return 0
  },
})
