import { connect } from '../connect.ts'
import { codeOfOutcome, outcomeText } from '../payment-text.ts'
import { print } from '../print.ts'
import { oneOf, readArguments } from '../read-arguments.ts'

/** Pays a link. That a webhook failed or is held does not undo the payment, but is told and is the exit code. */
export async function pay(args: readonly string[]): Promise<number> {
  const { flags, operands } = readArguments('pay', args)
  const method = oneOf('method', flags.method, ['card', 'bank-transfer'])
  const browser = oneOf('browser', flags.browser, ['returns', 'closes'])
  const sandbox = await connect(flags)

  const outcome = await sandbox.pay(operands[0]!, {
    ...(method && { method }),
    ...(browser && { browser }),
    ...(flags['no-wait'] && { wait: 'accepted' }),
  })
  print(flags.json, outcome, () => outcomeText(outcome, browser))
  return flags['no-wait'] ? 0 : codeOfOutcome(outcome)
}
