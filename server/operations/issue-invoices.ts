import { aboutAccount } from '../domain/events.ts'
import { feesOf } from '../domain/fees.ts'
import type { TaxInvoice } from '../domain/invoice.ts'
import * as accounts from '../store/accounts.ts'
import * as blocks from '../store/blocks.ts'
import * as invoices from '../store/invoices.ts'
import type { Work } from '../store/store.ts'
import * as turnover from '../store/turnover.ts'
import { draftInvoice } from './draft-invoice.ts'

/** Bills a month to every account that was paid in it, unless it has an invoice for that month already. */
export async function issueInvoices(work: Work, month: string): Promise<TaxInvoice[]> {
  const issued: TaxInvoice[] = []
  for (const [accountId, earned] of await turnover.ofMonth(work.db, month)) {
    const account = await accounts.find(work.db, accountId)
    if (!account || (await invoices.exists(work.db, accountId, month))) continue
    const fees = feesOf(earned, account.billing.reverseCharge)
    const block = await blocks.ofAccount(work.db, accountId, 'first')
    const numbered = { sfId: await invoices.nextId(work.db, block?.ids), createdAt: work.now }
    const invoice = draftInvoice(account, month, fees, numbered)
    await invoices.insert(work.db, [invoice])
    await work.record({ type: 'invoice.issued', ...aboutAccount(accountId), invoice })
    issued.push(invoice)
  }
  return issued
}
