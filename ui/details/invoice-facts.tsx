import type { InvoiceView } from '../../server/contract/views.ts'
import { formatAmount } from '../../server/contract/format/values.ts'
import { Fact } from './fact.tsx'

export function InvoiceFacts({ invoice }: { readonly invoice: InvoiceView }) {
  const { invoiceId, platformFee, pspFee, vat } = invoice
  return (
    <>
      <Fact name="Invoice">{invoiceId}</Fact>
      <Fact name="Platform fee">{formatAmount(platformFee)}</Fact>
      <Fact name="Provider fee">{formatAmount(pspFee)}</Fact>
      <Fact name="VAT">{formatAmount(vat)}</Fact>
    </>
  )
}
