import { accountSubject } from '../../../domain/links/subject.ts'
import { computeFees } from '../../../domain/money/fees.ts'
import type { TaxInvoice } from '../../../domain/accounts/tax-invoice.ts'
import * as accounts from '../../../store/repositories/accounts.ts'
import * as idBlocks from '../../../store/repositories/id-blocks.ts'
import * as invoices from '../../../store/repositories/invoices.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import * as monthlyRevenue from '../../../store/repositories/monthly-revenue.ts'
import { draftInvoice } from './draft-invoice.ts'

/** Issues an invoice for a month to each account with payments in the month, unless the account has one already. */
export async function issueInvoices(work: UnitOfWork, month: string): Promise<TaxInvoice[]> {
  const issued: TaxInvoice[] = []
  for (const [accountId, earned] of await monthlyRevenue.listForMonth(work.db, month)) {
    const account = await accounts.find(work.db, accountId)
    if (!account || (await invoices.exists(work.db, accountId, month))) continue
    const fees = computeFees(earned, account.billing.reverseCharge)
    const block = await idBlocks.find(work.db, accountId, 'first')
    const invoice = draftInvoice(account, month, fees, await invoices.nextInvoiceNumber(work.db, block?.ids))
    await invoices.insert(work.db, [invoice])
    await work.record({ type: 'invoice.issued', ...accountSubject(accountId), invoice })
    issued.push(invoice)
  }
  return issued
}
