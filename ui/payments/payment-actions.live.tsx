import { formatRoute } from '../browser/hash-route.ts'
import { needsReview } from '../data/review-item.ts'
import { ConfirmButton } from '../connect/accounts/confirm-button.tsx'
import { ClosedLine } from './closed-line.tsx'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { withErrorToast } from '../data/api.ts'
import { useOneAtATime } from '../browser/use-one-at-a-time.ts'
import { runAction } from './run-action.ts'
import { ForgeActions } from './forge-actions.tsx'
import type { Payment } from '../data/payment.ts'
import {
  customerActionNames,
  operatorActions,
  blockedReason,
  type PaymentAction,
} from '../data/possible-actions.ts'

/** A link to the open decision about a payment, if there is one. */
export const ReviewLink = ({ payment }: Props) =>
  needsReview(payment) && <a href={formatRoute({ screen: 'payments', tab: 'review' })}>Open Review</a>

/** The actions of the customer. Shown while the payment is still open. */
export const CustomerActions = ({ payment }: Props) =>
  isUnpaid(payment) && <PaymentActions payment={payment} />

/** The actions in a closed line, when only the operator can still act. */
export const ClosedActions = ({ payment }: Props) =>
  !isUnpaid(payment) && (
    <ClosedLine name="Simulate" about={simulations(payment)}>
      <PaymentActions payment={payment} />
    </ClosedLine>
  )

interface Props {
  readonly payment: Payment
}

const isUnpaid = (payment: Payment): boolean =>
  customerActionNames.some((action) => blockedReason(action, payment) === null)

/** The actions that a closed line offers: `Forge a webhook, open dispute`. */
const simulations = (payment: Payment): string => {
  const possible = operatorActions.filter((action) => blockedReason(action, payment) === null)
  return ['Forge a webhook', ...possible.map((action) => action.toLowerCase())].join(', ')
}

/** Buttons for the possible actions, and a collapsed list of the impossible ones with the reasons. */
function PaymentActions({ payment }: Props) {
  const section = useRef<HTMLElement>(null)
  const runOne = useOneAtATime()
  const blockedReasons = new Map(
    [...customerActionNames, ...operatorActions].map((action) => [action, blockedReason(action, payment)]),
  )
  const isPossible = (action: PaymentAction): boolean => blockedReasons.get(action) === null
  const reasons = [...new Set(blockedReasons.values())].filter((reason) => reason !== null)

  // A pressed button may disappear. The focus then moves to the section.
  const possible = [...blockedReasons.keys()].filter(isPossible).join()
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    if (!isFirst.current && document.activeElement === document.body) section.current!.focus()
    isFirst.current = false
  }, [possible])

  const buttons = (actions: readonly PaymentAction[], primary?: PaymentAction) =>
    actions.map((action) =>
      action === 'Delete link' ? (
        <DeleteLink key={action} payment={payment} />
      ) : (
        <button
          key={action}
          type="button"
          class={action === primary ? 'primary' : ''}
          {...(action === CLOSING ? { 'aria-describedby': CLOSING_ID } : {})}
          onClick={() => runOne(() => withErrorToast(() => runAction(action, payment.link)))}
        >
          {action}
        </button>
      ),
    )

  return (
    <section ref={section} class="payment-actions" aria-label="Actions" tabIndex={-1}>
      {customerActionNames.some(isPossible) && (
        <div class="actions">
          <h3>Simulate</h3>
          {buttons(customerActionNames.filter(isPossible), 'Pay by card')}
        </div>
      )}
      {isPossible(CLOSING) && (
        <p id={CLOSING_ID} class="muted">
          {CLOSING}: the payment goes through, but the browser never returns to the shop. Only the webhook
          reports it.
        </p>
      )}
      {operatorActions.some(isPossible) && (
        <div class="actions">
          <h3>Operator</h3>
          {buttons(operatorActions.filter(isPossible))}
        </div>
      )}
      <ForgeActions payment={payment} />
      {reasons.length > 0 && (
        <details class="unavailable">
          <summary>Not possible now</summary>
          <ul>
            {reasons.map((reason, index) => (
              <li key={reason}>
                <span class="actions">
                  {[...blockedReasons].map(
                    ([action, blocked]) =>
                      blocked === reason && (
                        <button key={action} type="button" disabled aria-describedby={`why-not-${index}`}>
                          {action}
                        </button>
                      ),
                  )}
                </span>
                <span id={`why-not-${index}`}>{reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

const DeleteLink = ({ payment: { link } }: Props) => (
  <ConfirmButton
    label="Delete link…"
    class="danger-text"
    question={`Delete the link of payment ${link.payId}?`}
    yes="Delete link"
    action={() => runAction('Delete link', link)}
    onDone={() => {}}
  >
    Nobody can pay it afterwards. This cannot be undone.
  </ConfirmButton>
)

const CLOSING = 'Pay and close browser'
const CLOSING_ID = 'closing-browser'
