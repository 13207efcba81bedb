import type { InvoiceView } from '../contract/views.ts'
import { formatAmount } from '../contract/format/values.ts'

/** `Tax invoice 202611-sf-1a2b3c4d5e of Flower Shop for 2026-11: €3.87`. The amount includes fees and VAT. */
export function invoiceLine(
  { invoiceId, accountId, serviceMonth, platformFee, pspFee, vat }: InvoiceView,
  accounts: readonly { readonly id: string; readonly name: string }[],
): string {
  const owner = accounts.find(({ id }) => id === accountId)?.name ?? accountId
  return `Tax invoice ${invoiceId} of ${owner} for ${serviceMonth}: ${formatAmount(platformFee + pspFee + vat)}`
}
