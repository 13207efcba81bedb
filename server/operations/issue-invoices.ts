import { createHash } from 'node:crypto'
import { monthAfter } from '../domain/calendar.ts'
import type { Account } from '../domain/account.ts'
import { aboutAccount } from '../domain/events.ts'
import { feesOf, type Fees } from '../domain/fees.ts'
import type { TaxInvoice } from '../domain/invoice.ts'
import * as accounts from '../store/accounts.ts'
import * as blocks from '../store/blocks.ts'
import * as invoices from '../store/invoices.ts'
import type { Work } from '../store/store.ts'
import * as turnover from '../store/turnover.ts'

/** Bills a month to every account that was paid in it, unless it has an invoice for that month already. */
export async function issueInvoices(work: Work, month: string): Promise<TaxInvoice[]> {
  const issued: TaxInvoice[] = []
  for (const [accountId, earned] of await turnover.ofMonth(work.db, month)) {
    const account = await accounts.find(work.db, accountId)
    if (!account || (await invoices.exists(work.db, accountId, month))) continue
    const invoice = await draft(work, account, month, feesOf(earned, account.billing.reverseCharge))
    await invoices.insert(work.db, [invoice])
    await work.record({ type: 'invoice.issued', ...aboutAccount(accountId), invoice })
    issued.push(invoice)
  }
  return issued
}

async function draft(
  { db, now }: Work,
  { id, billing }: Account,
  month: string,
  fees: Fees,
): Promise<TaxInvoice> {
  const { reverseCharge: _, ...address } = billing
  const next = monthAfter(month)
  return {
    ...address,
    ...fees,
    sfId: await invoices.nextId(db, (await blocks.ofAccount(db, id, 'first'))?.ids),
    accountId: id,
    invoiceId: `${next.replace('-', '')}-sf-${tenCharacters(`${id} ${month}`)}`,
    invoiceDate: `${next}-01`,
    serviceMonth: month,
    createdAt: now,
  }
}

/** The same for the same invoice, so that a test gets the same reference every time. */
const tenCharacters = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 10).toUpperCase()
