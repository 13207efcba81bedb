import type { LinkView } from '../../server/contract/views.ts'
import { accountName } from '../data/accounts.ts'
import { Fact } from '../details/fact.tsx'
import { formatAmount } from '../../server/contract/format/values.ts'
import { MappedTo } from '../connect/maps/mapped-to.live.tsx'
import { expectedPayId } from '../new-link/dialog-state.ts'
import { isLoadingEvents, log } from '../data/session.ts'
import { DetailsPane, NotInJournal } from '../components/details-pane.tsx'
import { Icon } from '../components/icon.tsx'
import { CopyableText } from '../components/copyable-text.tsx'
import { Journey } from './journey.tsx'
import type { Payment } from '../data/payment.ts'
import { ClosedLine } from './closed-line.tsx'
import { explainStatus } from './explain-status.ts'
import { ClosedActions, CustomerActions, ReviewLink } from './payment-actions.live.tsx'
import { PaymentStatusText } from './payment-status.tsx'
import { ProblemCard } from './problem-card.tsx'
import { selectPayment, stepPayment } from './payment-list.ts'
import { CheckoutButtons } from './checkout-buttons.live.tsx'
import { SplitTable } from './split-table.tsx'
import { hidePasswords } from '../../server/domain/network/credentials.ts'

const close = () => selectPayment(undefined)

/** One payment link with its status, actions, journey, payout and facts. */
export function PaymentDetails({ payId }: { readonly payId: number | undefined }) {
  const { eventIndex } = log.journal.value
  const payment = payId === undefined ? undefined : eventIndex.payments.get(payId)
  const isLoading = isLoadingEvents.value || payId === expectedPayId.value

  return (
    <DetailsPane
      label="Payment"
      listName="Payments"
      isOpen={payId !== undefined}
      onClose={close}
      onStep={stepPayment}
    >
      {payId !== undefined && !payment && isLoading && <p class="hint delayed">Loading payment {payId}…</p>}
      {payId !== undefined && !payment && !isLoading && (
        <NotInJournal name={`Payment ${payId}`} onClose={close} />
      )}
      {payment && <LoadedPayment key={payId} payment={payment} />}
    </DetailsPane>
  )
}

function LoadedPayment({ payment }: { readonly payment: Payment }) {
  const { link } = payment
  const explanation = explainStatus(payment)

  return (
    <>
      <header>
        <div class="detail-bar bar">
          <span class="muted subtitle first">
            <span aria-hidden="true">Payment {link.payId}</span> <bdi>{accountName(link.accountId)}</bdi>
          </span>
          <CheckoutButtons link={link} />
          <button type="button" class="close" aria-label="Close" title="Close (Esc)" onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        <h2 class="payment-heading">
          <span class="visually-hidden">Payment {link.payId} </span>
          <span class="heading-amount">{formatAmount(link.amount)}</span>{' '}
          <PaymentStatusText payment={payment} hasMethod />
        </h2>
        {link.note !== '' && (
          <p class="about">
            <bdi>{link.note}</bdi>
          </p>
        )}
        {explanation !== null && (
          <p class="explanation">
            {explanation} <ReviewLink payment={payment} />
          </p>
        )}
      </header>
      <ProblemCard payId={link.payId} />
      <div class="details-body payment-body">
        <CustomerActions payment={payment} />
        <Journey payId={link.payId} />
      </div>
      <div class="closed-lines">
        <Payout link={link} />
        <LinkFacts link={link} />
        <ClosedActions payment={payment} />
      </div>
    </>
  )
}

const Payout = ({ link }: { readonly link: LinkView }) => {
  const parties = [
    ...link.payout.recipients.map(
      ({ accountId, amount }) => `${accountName(accountId)} ${formatAmount(amount)}`,
    ),
    `${accountName(link.accountId)} ${formatAmount(link.payout.owner)}`,
  ]
  return (
    <ClosedLine name={link.kind === 'split' ? 'Split' : 'Payout'} about={parties.join(', ')}>
      <SplitTable link={link} />
    </ClosedLine>
  )
}

const LinkFacts = ({ link }: { readonly link: LinkView }) => (
  <ClosedLine name="Link" about={`pay_id ${link.payId} · link_id ${link.linkId}`}>
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
        {link.callbackUrl === '' ? 'the default result page' : hidePasswords(link.callbackUrl)}
        <MappedTo address={link.callbackUrl} />
      </Fact>
      <Fact name="Webhooks to">
        {link.targets.length === 0
          ? 'the account’s payment endpoint'
          : link.targets.map(({ url, reason }) => (
              <div key={`${url} ${reason}`}>
                {hidePasswords(url)}
                <MappedTo address={url} />
                <div class="muted">{reason}</div>
              </div>
            ))}
      </Fact>
    </dl>
  </ClosedLine>
)
