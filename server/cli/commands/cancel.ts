import { connect } from '../connect.ts'
import { deliveryAdvice } from '../delivery-advice.ts'
import { exitCodeOfOutcome, outcomeText } from '../payment-text.ts'
import { type CommandIo, print } from '../io.ts'
import { openLink, readLinkChoice } from '../new-link.ts'
import { oneOf, readArguments } from '../read-arguments.ts'

/** Cancels a payment of a link, or of a new one, as the customer, and prints its webhooks like `pay`. */
export async function cancel(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands } = readArguments('cancel', args)
  const browser = oneOf('browser', flags.browser, ['returns', 'closes'])
  const choice = readLinkChoice('cancel', flags, operands)
  const sandbox = await connect(flags, io)

  const outcome = await sandbox.cancel(await openLink(sandbox, choice, flags, io), {
    ...(browser && { browser }),
    ...(flags['no-wait'] && { wait: 'accepted' }),
  })
  const advice = flags.json ? [] : await deliveryAdvice(sandbox, outcome.deliveries)
  print(io, flags.json, outcome, () => [outcomeText(outcome, browser), ...advice].join('\n'))
  return flags['no-wait'] ? 0 : exitCodeOfOutcome(outcome)
}
