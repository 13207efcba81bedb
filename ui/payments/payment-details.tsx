import { accountName } from '../accounts.ts'
import { Fact } from '../details/fact.tsx'
import { formatAmount } from '../../server/format/values.ts'
import { formatRoute } from '../hash-route.ts'
import { MappedTo } from '../maps/mapped-to.tsx'
import { expectedPayId } from '../new-link/dialog-state.ts'
import { needsReview } from '../review/review-item.ts'
import { connection, log } from '../session.ts'
import { DetailsPane, NotInJournal } from '../shell/details-pane.tsx'
import { CopyableText } from '../shell/copyable-text.tsx'
import { Journey } from './journey.tsx'
import { statusOf, type Payment } from './payment.ts'
import { explainStatus } from './explain-status.ts'
import { PaymentActions } from './payment-actions.tsx'
import { selectPayment } from './payment-list.ts'
import { QrButton } from './qr-button.tsx'
import { SplitTable } from './split-table.tsx'

const close = () => selectPayment(undefined)

/** One payment link with its status, actions, journey, payout and facts. */
export function PaymentDetails({ payId }: { readonly payId: number | undefined }) {
  const { eventIndex, last, head } = log.journal.value
  const payment = payId === undefined ? undefined : eventIndex.payments.get(payId)
  const isLoading = connection.value === 'connecting' || last < head || payId === expectedPayId.value

  return (
    <DetailsPane label="Payment" isOpen={payId !== undefined} onClose={close}>
      {payId !== undefined && !payment && isLoading && <p class="hint delayed">Loading payment {payId}…</p>}
      {payId !== undefined && !payment && !isLoading && (
        <NotInJournal name={`Payment ${payId}`} listName="payments" onClose={close} />
      )}
      {payment && <LoadedPayment key={payId} payment={payment} />}
    </DetailsPane>
  )
}

function LoadedPayment({ payment }: { readonly payment: Payment }) {
  const { link } = payment
  const { text, tone } = statusOf(payment)
  const explanation = explainStatus(payment)

  return (
    <>
      <header>
        <h2>
          Payment {link.payId} <span class="heading-amount">{formatAmount(link.amount)}</span>{' '}
          <span class="chip" data-tone={tone}>
            {text}
          </span>
        </h2>
        {CAN_ACT && (
          <div class="actions">
            <a class="button" href={link.payLink} target="_blank" rel="noreferrer">
              Open checkout
            </a>
            <QrButton link={link} />
          </div>
        )}
        {link.note !== '' && <p>{link.note}</p>}
        {explanation !== null && (
          <p class="note">
            {explanation}{' '}
            {CAN_ACT && needsReview(payment) && <a href={formatRoute({ screen: 'review' })}>Open Review</a>}
          </p>
        )}
      </header>
      <div class="details-body">
        {CAN_ACT && <PaymentActions payment={payment} />}
        <Journey payId={link.payId} />
        <h3>{link.kind === 'split' ? 'Split' : 'Payout'}</h3>
        <SplitTable link={link} />
        <h3>Link</h3>
        <dl class="facts">
          <Fact name="id">
            <CopyableText text={String(link.id)} what="id" />
          </Fact>
          <Fact name="pay_id">
            <CopyableText text={String(link.payId)} what="pay_id" />
          </Fact>
          <Fact name="link_id">
            <CopyableText text={link.linkId} what="link_id" />
          </Fact>
          <Fact name="Pay link">
            <CopyableText text={link.payLink} what="Pay link" />
          </Fact>
          <Fact name="Account">{accountName(link.accountId)}</Fact>
          {link.paidBy !== null && <Fact name="Paid by">{link.paidBy}</Fact>}
          <Fact name="Redirect to">
            {link.callbackUrl === '' ? 'the default result page' : link.callbackUrl}
            {CAN_ACT && <MappedTo address={link.callbackUrl} />}
          </Fact>
          <Fact name="Webhooks to">
            {link.targets.length === 0
              ? 'the account’s payment endpoint'
              : link.targets.map(({ url, reason }) => (
                  <div key={`${url} ${reason}`}>
                    {url}
                    {CAN_ACT && <MappedTo address={url} />} <span class="muted">{reason}</span>
                  </div>
                ))}
          </Fact>
        </dl>
      </div>
    </>
  )
}
