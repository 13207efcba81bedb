import { accountName } from '../accounts.ts'
import { Fact } from '../details/fact.tsx'
import { formatAmount } from '../format.ts'
import { connection, log } from '../session.ts'
import { Journey } from './journey.tsx'
import { statusOf, type Payment } from './payment.ts'
import { PaymentActions } from './payment-actions.tsx'
import { selectPayment } from './payment-list.ts'
import { SplitTable } from './split-table.tsx'

/** One link: what it is, where it stands, what happened, and what can be done. */
export function PaymentDetails({ payId }: { readonly payId: number | undefined }) {
  const { ledger, last, head } = log.journal.value
  const payment = payId === undefined ? undefined : ledger.payments.get(payId)
  const isComing = connection.value === 'connecting' || last < head

  return (
    <section id="details" class="details" aria-label="Payment" tabIndex={-1}>
      {payId !== undefined && (
        <button type="button" class="back" onClick={() => selectPayment(undefined)}>
          <span aria-hidden="true">‹ </span>Back
        </button>
      )}
      {payId !== undefined && !payment && isComing && <p class="hint late">Loading payment {payId}…</p>}
      {payId !== undefined && !payment && !isComing && (
        <div class="hint">
          <h2>Payment {payId} is not in this journal</h2>
          <p>A reset may have taken it back, or the link is from another sandbox.</p>
          <button type="button" onClick={() => selectPayment(undefined)}>
            Show the payments
          </button>
        </div>
      )}
      {payment && <Shown key={payId} payment={payment} />}
    </section>
  )
}

function Shown({ payment }: { readonly payment: Payment }) {
  const { link } = payment
  const { text, tone } = statusOf(payment)

  return (
    <>
      <header>
        <h2>
          Payment {link.payId} <span class="figure">{formatAmount(link.amount)}</span>{' '}
          <span class="chip" data-tone={tone}>
            {text}
          </span>
        </h2>
        {CAN_ACT && (
          <div class="actions">
            <a class="button" href={link.payLink} target="_blank" rel="noreferrer">
              Open checkout
            </a>
          </div>
        )}
      </header>
      <div class="part">
        {CAN_ACT && <PaymentActions payment={payment} />}
        <h3>Journey</h3>
        <Journey payId={link.payId} />
        <h3>Split</h3>
        <SplitTable link={link} />
        <h3>Link</h3>
        <dl class="facts">
          {link.note !== '' && <Fact name="Note">{link.note}</Fact>}
          <Fact name="Account">{accountName(link.accountId)}</Fact>
          <Fact name="id · pay_id">
            {link.id} · {link.payId}
          </Fact>
          <Fact name="link_id">{link.linkId}</Fact>
          <Fact name="Paid by">{link.paidBy ?? 'nobody yet'}</Fact>
          <Fact name="Redirect to">
            {link.callbackUrl === '' ? 'the default result page' : link.callbackUrl}
          </Fact>
          <Fact name="Webhooks to">
            {link.targets.length === 0
              ? 'the account’s payment endpoint'
              : link.targets.map(({ url, because }) => (
                  <div key={`${url} ${because}`}>
                    {url} <span class="muted">{because}</span>
                  </div>
                ))}
          </Fact>
        </dl>
      </div>
    </>
  )
}
