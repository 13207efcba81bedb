import { UsageError } from '../../domain/text/usage-error.ts'
import { connect } from '../connect.ts'
import { type CommandIo, print } from '../io.ts'
import { oneOf, readArguments } from '../read-arguments.ts'

/** Takes everything back, for the whole sandbox or for one account. */
export async function reset(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags } = readArguments('reset', args)
  const to = oneOf('to', flags.to, ['seed', 'empty'])
  if (flags.account !== undefined && to !== undefined) {
    throw new UsageError(
      '--to and --account do not go together: an account goes back to how it was made. Leave one out.',
    )
  }
  const sandbox = await connect(flags, io)

  if (flags.account === undefined) {
    await sandbox.reset(to && { to })
    print(
      io,
      flags.json,
      { to: to ?? 'seed' },
      () => `The sandbox at ${sandbox.url} is back to ${to ?? 'seed'}`,
    )
    return 0
  }
  const { id, name } = await (await sandbox.account(flags.account)).reset()
  print(io, flags.json, { account: { id, name } }, () => `${name} is back to how it was made`)
  return 0
}
