import { formatAge, formatAmount } from '../../server/format/values.ts'
import { now } from '../clock.ts'
import { connection } from '../session.ts'
import { route } from '../route.ts'
import { Grid } from '../shell/grid.tsx'
import { Panes } from '../shell/panes.tsx'
import { FirstRequest } from '../timeline/first-request.tsx'
import { NoMatch } from '../timeline/no-match.tsx'
import { statusOf, type Payment } from './payment.ts'
import { NewLinkButton } from './new-link-button.tsx'
import { NewLinkDialog } from './new-link-dialog.tsx'
import { PaymentDetails } from './payment-details.tsx'
import {
  paymentCount,
  paymentList,
  selectedPayId,
  selectedPaymentIndex,
  selectPayment,
  stepPayment,
} from './payment-list.ts'

const columns = ['Payment', 'Amount', 'Status', 'Note', 'Age']

const rowId = (payId: number): string => `payment-${payId}`

export function PaymentsScreen() {
  const list = paymentList.value
  const payId = selectedPayId.value
  const query = route.value.query

  return (
    <Panes
      isOpen={payId !== undefined}
      list={
        <section class="list payments" aria-label="Payment links">
          <Grid
            label="Payments"
            columns={columns}
            count={list.length}
            selected={selectedPaymentIndex.value}
            selectedId={payId === undefined ? undefined : rowId(payId)}
            onMove={stepPayment}
            onOpen={() => document.getElementById('details')?.focus()}
            row={(index) => {
              const payment = list[index]
              return payment && <PaymentRow key={payment.link.payId} payment={payment} index={index} />
            }}
          />
          {connection.value === 'connecting' && <p class="hint delayed">Connecting to the sandbox…</p>}
          {connection.value !== 'connecting' && paymentCount.value === 0 && (
            <FirstRequest>{CAN_ACT && <NewLinkButton />}</FirstRequest>
          )}
          {list.length === 0 && paymentCount.value > 0 && <NoMatch query={query} />}
        </section>
      }
      details={
        <>
          <PaymentDetails payId={payId} />
          {CAN_ACT && <NewLinkDialog />}
        </>
      }
    />
  )
}

function PaymentRow({ payment, index }: { readonly payment: Payment; readonly index: number }) {
  const { payId, amount, note, createdAt } = payment.link
  const { text, tone } = statusOf(payment)
  return (
    <div
      role="row"
      id={rowId(payId)}
      class="row"
      aria-rowindex={index + 2}
      aria-selected={payId === selectedPayId.value}
      onClick={() => selectPayment(payId)}
    >
      <div role="gridcell" class="pay">
        {payId}
      </div>
      <div role="gridcell" class="amount">
        {formatAmount(amount)}
      </div>
      <div role="gridcell" class="state">
        <span class="chip" data-tone={tone}>
          {text}
        </span>
      </div>
      <div role="gridcell" class="note-cell">
        {note}
      </div>
      <div role="gridcell" class="age">
        {formatAge(createdAt, now.value)}
      </div>
    </div>
  )
}
