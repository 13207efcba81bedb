import type { BehaviorSettings } from '../../../domain/behaviors/behavior.ts'
import { matchesInvoice, type TaxInvoice } from '../../../domain/accounts/tax-invoice.ts'
import * as invoices from '../../../store/repositories/invoices.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import type { Caller } from '../accounts/caller.ts'

interface Page {
  /** Counted from 1. */
  readonly page: number
  readonly limit: number
  readonly search: string
  /** `YYYY-MM`. Empty for all months. */
  readonly month: string
}

/** Returns one page of the account's invoices, and their number on all pages. */
export async function getTaxInvoiceList(
  { db }: Pick<UnitOfWork, 'db'>,
  { account, behaviors }: Caller,
  { page, limit, search, month }: Page,
): Promise<{ invoices: TaxInvoice[]; total: number }> {
  const filter = month === '' ? undefined : behaviors.dependOn('invoiceMonth')
  if (search !== '') behaviors.markAssumptions('invoiceSearch')

  const all = await invoices.list(db, account.id)
  const found = all.filter(
    (invoice) =>
      (filter === undefined || monthOf(invoice, filter) === month) && matchesInvoice(invoice, search),
  )
  if (found.length > 0) behaviors.markAssumptions('invoiceFees', 'invoiceNumbers', 'serverTime')
  if (found.length > 1 || page > 1) behaviors.markAssumptions('invoiceOrder')
  return { invoices: found.slice((page - 1) * limit, page * limit), total: found.length }
}

const monthOf = (
  { serviceMonth, invoiceDate }: TaxInvoice,
  filter: BehaviorSettings['invoiceMonth'],
): string => (filter === 'billed' ? serviceMonth : invoiceDate.slice(0, 7))
