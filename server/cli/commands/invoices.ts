import { command } from '../command.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { accountFlag, connectionFlags, limitFlag } from '../shared-flags.ts'
import { connect } from '../connect.ts'
import { invoiceLine } from '../invoice-text.ts'
import { print } from '../io.ts'
import { printNextPage } from '../next-page.ts'
import { readLimit } from '../read-values.ts'

export const invoices = command({
  text: 'list tax invoices, the newest month first',
  actions: { list: { operands: [], text: 'list tax invoices; the default' } },
  flags: {
    account: accountFlag,
    after: { kind: 'text', value: '<sfId>', text: 'only invoices that follow this one in the list' },
    limit: limitFlag,
    ...connectionFlags,
  },
  examples: ['invoices', 'invoices --account "Flower Shop" --json'],
  async run({ flags }, io) {
    const limit = readLimit(flags.limit)
    const { after } = flags
    const sandbox = await connect(flags, io)
    const payments = flags.account === undefined ? sandbox : await sandbox.account(flags.account)

    const page = await payments.invoices(omitUndefined({ after, limit }))
    const accounts = flags.json ? [] : await sandbox.accounts()
    print(
      io,
      flags.json,
      page,
      () =>
        page.map((invoice) => invoiceLine(invoice, accounts)).join('\n') ||
        (after === undefined
          ? 'There are no tax invoices. The clock issues them: run npx paylink-sandbox clock advance next-month after a payment.'
          : 'No invoice follows'),
    )
    printNextPage(page, limit, ({ sfId }) => `--after ${sfId}`, io)
    return 0
  },
})
