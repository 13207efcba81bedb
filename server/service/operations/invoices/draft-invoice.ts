import { createHash } from 'node:crypto'
import type { Account } from '../../../domain/accounts/account.ts'
import { monthStart, nextMonth } from '../../../domain/time/calendar.ts'
import type { Fees } from '../../../domain/money/fees.ts'
import type { TaxInvoice } from '../../../domain/accounts/tax-invoice.ts'

/** Builds the invoice of one month. Its date is the first day of the next month, even if the clock jumps over that day. */
export function draftInvoice(
  { id, billing }: Account,
  serviceMonth: string,
  fees: Fees,
  sfId: string,
): TaxInvoice {
  const { reverseCharge: _, ...address } = billing
  const next = nextMonth(serviceMonth)
  return {
    ...address,
    ...fees,
    sfId,
    accountId: id,
    invoiceId: `${next.replace('-', '')}-sf-${shortHash(`${id} ${serviceMonth}`)}`,
    invoiceDate: `${next}-01`,
    serviceMonth,
    createdAt: monthStart(next),
  }
}

/** A hash, so that tests always get the same invoice numbers. */
const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 10).toUpperCase()
