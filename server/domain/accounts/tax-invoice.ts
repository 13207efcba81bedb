import type { Billing } from './account.ts'
import type { Cents } from '../money/cents.ts'
import type { Instant } from '../time/berlin-time.ts'

/** An account's invoice for the platform fees of one month. */
export interface TaxInvoice extends Omit<Billing, 'reverseCharge'> {
  readonly sfId: string
  readonly accountId: string
  /** `YYYYMM-sf-` and ten characters. */
  readonly invoiceId: string
  /** `YYYY-MM-DD`, the first day of the next month. */
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

/** Formats `2026-06` as the service does: `June 2026`. */
export function formatMonth(month: string): string {
  const [year, number] = month.split('-')
  return `${MONTHS[Number(number) - 1]} ${year}`
}

/** Whether the id, the month or the company of an invoice contains a text. Ignores upper and lower case. */
export function matchesInvoice(invoice: TaxInvoice, search: string): boolean {
  const lowerCaseSearch = search.toLowerCase()
  const texts = [invoice.invoiceId, formatMonth(invoice.serviceMonth), invoice.company]
  return texts.some((text) => text.toLowerCase().includes(lowerCaseSearch))
}
