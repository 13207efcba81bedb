import { command } from '../command.ts'
import { accountFlag, connectionFlags } from '../shared-flags.ts'
import { connect } from '../connect.ts'
import { invoiceLine } from '../invoice-text.ts'
import { print } from '../io.ts'

export const invoices = command({
  text: 'list tax invoices, the newest month first',
  actions: { list: { operands: [], text: 'list tax invoices; the default' } },
  flags: { account: accountFlag, ...connectionFlags },
  examples: ['invoices', 'invoices --account "Flower Shop" --json'],
  async run({ flags }, io) {
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
        'There are no tax invoices. The clock issues them: run npx paylink-sandbox clock advance next-month after a payment.',
    )
    return 0
  },
})
