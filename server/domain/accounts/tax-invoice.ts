import type { Billing } from './account.ts'
import type { Cents } from '../money/money.ts'
import type { Instant } from '../time/time.ts'

/** The platform's fees of one month, billed to one account. */
export interface TaxInvoice extends Omit<Billing, 'reverseCharge'> {
  readonly sfId: string
  readonly accountId: string
  /** `YYYYMM-sf-` and ten characters. */
  readonly invoiceId: string
  /** `YYYY-MM-DD`, the first of the month after. */
  readonly invoiceDate: string
  /** `YYYY-MM`. */
  readonly serviceMonth: string
  readonly platformFee: Cents
  readonly pspFee: Cents
  readonly vat: Cents
  readonly createdAt: Instant
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** `2026-06` as the service writes it: `June 2026`. */
export function formatMonth(month: string): string {
  const [year, number] = month.split('-')
  return `${MONTHS[Number(number) - 1]} ${year}`
}

/** Whether an invoice's id, month or company contains the text, whatever the case. */
export function matchesInvoice(invoice: TaxInvoice, search: string): boolean {
  const wanted = search.toLowerCase()
  const texts = [invoice.invoiceId, formatMonth(invoice.serviceMonth), invoice.company]
  return texts.some((text) => text.toLowerCase().includes(wanted))
}
