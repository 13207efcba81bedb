import type { AccountView, InvoiceView } from '../../../server/contract/views.ts'
import { request } from '../../data/api.ts'
import { formatAmount } from '../../../server/contract/format/values.ts'
import { createResource } from '../../data/resource.ts'
import { currentId, shouldLoadAccount } from './current-account.ts'
import { NotLoaded } from './not-loaded.tsx'
import { Section } from './section.tsx'

// Defined before the resource, because the resource may load at once.
const PAGE = 1_000

/** Reads all pages of the invoices. */
async function load(account: string) {
  const invoices: InvoiceView[] = []
  for (let hasMore = true; hasMore;) {
    const after = invoices.at(-1)?.sfId
    const query = { account, limit: PAGE, ...(after !== undefined && { after }) }
    const page = await request('GET /invoices', { query })
    invoices.push(...page.invoices)
    hasMore = page.invoices.length === PAGE
  }
  return { account, invoices }
}

const loaded = createResource(() => {
  const account = currentId.value
  return shouldLoadAccount() && account !== undefined ? load(account) : undefined
})

export function Invoices({ account }: { readonly account: AccountView }) {
  return (
    <Section name="invoices">
      <p class="muted">Issued on the 1st of each month for the fees of the previous month.</p>
      <InvoiceTable account={account.id} />
    </Section>
  )
}

function InvoiceTable({ account }: { readonly account: string }) {
  const { value } = loaded
  if (value.state !== 'loaded') return <NotLoaded of={value} />
  if (value.value.account !== account) return <NotLoaded of={{ state: 'loading' }} />
  const { invoices } = value.value
  if (invoices.length === 0)
    return (
      <p>No invoices yet. After a month with fees, the sandbox issues one on the 1st of the next month.</p>
    )

  return (
    <div class="scroll-x" role="region" aria-label="Invoice table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col">Invoice</th>
            <th scope="col">Platform fees</th>
            <th scope="col">Provider fees</th>
            <th scope="col">VAT</th>
          </tr>
        </thead>
        <tbody>
          {invoices.map(({ sfId, serviceMonthText, invoiceId, platformFee, pspFee, vat }) => (
            <tr key={sfId}>
              <td>{serviceMonthText}</td>
              <td>
                <code>{invoiceId}</code>
              </td>
              <td class="amount">{formatAmount(platformFee)}</td>
              <td class="amount">{formatAmount(pspFee)}</td>
              <td class="amount">{formatAmount(vat)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
