import { formatAmount } from '../../contract/format/values.ts'
import { connect } from '../connect.ts'
import { type CommandIo, print } from '../io.ts'
import { openLink, readLinkChoice } from '../new-link.ts'
import { readArguments } from '../read-arguments.ts'

/** Lets the bank decline the card. The link can still be paid. */
export async function decline(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands } = readArguments('decline', args)
  const choice = readLinkChoice('decline', flags, operands)
  const sandbox = await connect(flags, io)

  const link = await sandbox.decline(await openLink(sandbox, choice, flags, io))
  print(
    io,
    flags.json,
    link,
    () =>
      `The bank declined the card for link ${link.id}: ${formatAmount(link.amount)}. The link can still be paid.`,
  )
  return 0
}
