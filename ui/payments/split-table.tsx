import type { LinkView } from '../../server/contract/views.ts'
import { accountName } from '../data/accounts.ts'
import { formatAmount } from '../../server/contract/format/values.ts'

/** The payouts. They always add up to the amount. */
export function SplitTable({ link }: { readonly link: LinkView }) {
  const { payout, splitType, amount, accountId } = link
  return (
    <table class="split">
      <thead>
        <tr>
          <th scope="col">Party</th>
          <th scope="col">Share</th>
          <th scope="col">Payout</th>
        </tr>
      </thead>
      <tbody>
        {payout.recipients.map((recipient, index) => (
          <tr key={index}>
            <td title={recipient.token}>{accountName(recipient.accountId)}</td>
            <td>{splitType === 'normal' ? `${recipient.share} %` : formatAmount(recipient.share)}</td>
            <td>{formatAmount(recipient.amount)}</td>
          </tr>
        ))}
        <tr>
          <td>{accountName(accountId)} (owner)</td>
          <td>the rest</td>
          <td>{formatAmount(payout.owner)}</td>
        </tr>
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            Total
          </th>
          <td>{formatAmount(amount)}</td>
        </tr>
      </tfoot>
    </table>
  )
}
