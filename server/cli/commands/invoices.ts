import { connect } from '../connect.ts'
import { invoiceLine } from '../invoice-text.ts'
import { type CommandIo, print } from '../io.ts'
import { readAction } from '../read-action.ts'
import { readArguments } from '../read-arguments.ts'

/** Lists tax invoices, the newest month first. */
export async function invoices(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands } = readArguments('invoices', args)
  readAction('invoices', operands)
  const sandbox = await connect(flags, io)
  const payments = flags.account === undefined ? sandbox : await sandbox.account(flags.account)

  const all = await payments.invoices()
  const accounts = flags.json ? [] : await sandbox.accounts()
  print(
    io,
    flags.json,
    all,
    () =>
      all.map((invoice) => invoiceLine(invoice, accounts)).join('\n') ||
      'There are no tax invoices. The clock issues them: run paylink-sandbox clock advance next-month after a payment.',
  )
  return 0
}
