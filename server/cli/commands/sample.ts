import { connect } from '../connect.ts'
import { type CommandIo, print } from '../io.ts'
import { readArguments } from '../read-arguments.ts'

/** Loads the sample story. */
export async function sample(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags } = readArguments('sample', args)
  const sandbox = await connect(flags, io)
  const account = flags.account === undefined ? undefined : (await sandbox.account(flags.account)).id

  const story = await sandbox.loadSampleStory(account === undefined ? {} : { account })
  print(io, flags.json, story, () =>
    [
      `${story.account.name} has ${story.payments} payments now. Open the inspector: ${sandbox.url}`,
      `Undo it with: paylink-sandbox snapshot restore ${story.snapshot}`,
    ].join('\n'),
  )
  return 0
}
