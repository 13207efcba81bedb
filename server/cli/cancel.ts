import { connect } from './connect.ts'
import { outcomeText } from './outcome-text.ts'
import { print } from './print.ts'
import { oneOf, readArguments } from './read-arguments.ts'

/** Cancels a payment, as the customer does. */
export async function cancel(args: readonly string[]): Promise<number> {
  const { flags, operands } = readArguments('cancel', args)
  const browser = oneOf('browser', flags.browser, ['returns', 'closes'])
  const sandbox = await connect(flags)

  const outcome = await sandbox.cancel(operands[0]!, {
    ...(browser && { browser }),
    ...(flags['no-wait'] && { wait: 'accepted' }),
  })
  print(flags.json, outcome, () => outcomeText(outcome, browser))
  return 0
}
