import { UsageError } from '../../domain/text/usage-error.ts'
import { connect } from '../connect.ts'
import { type CommandIo, print } from '../io.ts'
import { oneOf, readArguments } from '../read-arguments.ts'

/** Resets the sandbox to its seed, or one account to its original state. */
export async function reset(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags } = readArguments('reset', args)
  const to = oneOf('to', flags.to, ['seed', 'empty'])
  if (flags.account !== undefined && to !== undefined) {
    throw new UsageError(
      '--to and --account exclude each other: an account is always reset to its original state. Leave one out.',
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
}
