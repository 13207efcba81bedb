import { connect } from '../connect.ts'
import { deliveryAdvice } from '../delivery-advice.ts'
import { exitCodeOfOutcome, outcomeText } from '../payment-text.ts'
import { type CommandIo, print } from '../io.ts'
import { openLink, readLinkChoice } from '../new-link.ts'
import { oneOf, readArguments } from '../read-arguments.ts'

/** Pays a link, or a new one. A webhook that failed or is held does not undo the payment, but makes the exit code 1. */
export async function pay(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands } = readArguments('pay', args)
  const method = oneOf('method', flags.method, ['card', 'bank-transfer'])
  const browser = oneOf('browser', flags.browser, ['returns', 'closes'])
  const choice = readLinkChoice('pay', flags, operands)
  const sandbox = await connect(flags, io)

  const outcome = await sandbox.pay(await openLink(sandbox, choice, flags, io), {
    ...(method && { method }),
    ...(browser && { browser }),
    ...(flags['no-wait'] && { wait: 'accepted' }),
  })
  const advice = flags.json ? [] : await deliveryAdvice(sandbox, outcome.deliveries)
  print(io, flags.json, outcome, () => [outcomeText(outcome, browser), ...advice].join('\n'))
  return flags['no-wait'] ? 0 : exitCodeOfOutcome(outcome)
}
